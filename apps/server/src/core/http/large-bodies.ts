import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { toNetworks } from '@weir/streams';
import { type Clock, systemClock } from '../clock.ts';
import { WeirError } from '../errors.ts';
import { parseJsonBody, readBody } from './body.ts';

export interface LargeBodyLimits {
  /** Concurrent bodies: in total, of one network, and of its site. */
  readonly atOnce: number;
  readonly ofNetwork: number;
  readonly ofSite: number;
  /** Limit of all bodies in progress. */
  readonly bytes: number;
  /** Minimum pace; a slower line could not carry live voice either. */
  readonly bytesPerSecond: number;
  readonly graceMs: number;
}

const mebibyte = 1024 * 1024;
const pace = { bytesPerSecond: 16 * 1024, graceMs: 5000 } as const;
/** Limits for senders without a checked token: clients that send the room's token only in the body. */
const ofStrangers: LargeBodyLimits = { ...pace, atOnce: 24, ofNetwork: 4, ofSite: 8, bytes: 32 * mebibyte };
/** Limits for guests whose token was checked. Several may share one address, and strangers take none of their places. */
const ofGuests: LargeBodyLimits = { ...pace, atOnce: 40, ofNetwork: 8, ofSite: 16, bytes: 64 * mebibyte };
const lookMs = 500;
const drainMs = 3000;

/** Checks the room token in the headers; undefined without one. Throws if it is wrong. */
export type KnowsGuest = (headers: IncomingHttpHeaders) => Promise<true | undefined>;

/** Refused body with its reason. The handler sends the answer, so that the connection is not closed before it was read. */
export class RefusedBody {
  readonly error: WeirError;

  constructor(error: WeirError) {
    this.error = error;
  }
}

/**
 * Reads bodies above the usual size, before their senders are authorised. Strangers can neither fill the memory nor keep others out:
 * received bytes count instead of announced ones, networks share the places, and a body below the minimum pace loses its place.
 */
export class LargeBodies {
  readonly #limits: LargeBodyLimits;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #held = new Map<string, number>();
  #count = 0;
  #bytes = 0;

  constructor(limits: LargeBodyLimits, clock: Pick<Clock, 'elapsedMs'> = systemClock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  async read(stream: Readable, limitBytes: number, address: string): Promise<Record<string, unknown> | RefusedBody> {
    const { network, site } = toNetworks(address);
    const shares = [
      { key: `network ${network}`, most: this.#limits.ofNetwork },
      { key: `site ${site}`, most: this.#limits.ofSite },
    ];
    const isFull = shares.some(({ key, most }) => this.#of(key) >= most);
    if (isFull || this.#count >= this.#limits.atOnce) return refuseBody(stream, crowded());
    this.#count += 1;
    for (const { key } of shares) this.#held.set(key, this.#of(key) + 1);
    const leave = () => {
      this.#count -= 1;
      for (const { key } of shares) {
        const left = this.#of(key) - 1;
        if (left > 0) this.#held.set(key, left);
        else this.#held.delete(key);
      }
    };
    try {
      const body = await this.#readInTime(stream, limitBytes).finally(leave);
      return parseJsonBody(body);
    } catch (error) {
      if (error instanceof WeirError) return refuseBody(stream, error);
      throw error;
    }
  }

  async #readInTime(stream: Readable, limitBytes: number): Promise<Buffer> {
    const { bytes: mostBytes, bytesPerSecond, graceMs } = this.#limits;
    const stop = new AbortController();
    const beganMs = this.#clock.elapsedMs();
    let bytes = 0;
    let kept = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      // Bytes above the limit are read and discarded, so that the sender gets to the answer.
      const more = Math.min(chunk.length, Math.max(0, limitBytes - kept));
      kept += more;
      this.#bytes += more;
      if (this.#bytes > mostBytes) stop.abort(crowded());
    };
    stream.on('data', count);
    const timer = setInterval(() => {
      const dueBytes = ((this.#clock.elapsedMs() - beganMs - graceMs) / 1000) * bytesPerSecond;
      if (bytes < dueBytes) stop.abort(new WeirError('invalid_input', 'the request body arrives too slowly'));
    }, lookMs);
    try {
      return await readBody(stream, limitBytes, stop.signal);
    } finally {
      clearInterval(timer);
      stream.off('data', count);
      this.#bytes -= kept;
    }
  }

  #of(key: string): number {
    return this.#held.get(key) ?? 0;
  }
}

interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  readonly limitBytes: number;
  readonly knowsGuest: KnowsGuest | undefined;
}

/** Reads large bodies of guests and of strangers in separate places. A wrong token takes no place. */
export class SharedBodies {
  readonly #guests = new LargeBodies(ofGuests);
  readonly #strangers = new LargeBodies(ofStrangers);

  async read(stream: Readable, { headers, address, limitBytes, knowsGuest }: Sent) {
    // Unread bytes wait in the socket during the check.
    const known = await knowsGuest?.(headers).catch((error: unknown) => error);
    if (known instanceof WeirError) return refuseBody(stream, known);
    if (known !== undefined && known !== true) throw known;
    return (known ? this.#guests : this.#strangers).read(stream, limitBytes, address);
  }
}

/** Discards the rest of the body for a while, because many clients read no answer before they have sent everything. */
async function refuseBody(stream: Readable, error: WeirError): Promise<RefusedBody> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, drainMs);
  stream.once('end', resolve).once('close', resolve).resume();
  if (!stream.destroyed && !stream.readableEnded) await promise;
  clearTimeout(timer);
  return new RefusedBody(error);
}

function crowded(): WeirError {
  return new WeirError('unavailable', 'too many large requests at once, try again', { retryAfterSeconds: 5 });
}
