import { ownTicket, ownTicketParameter } from '@weir/plane';
import { findOwnProtocol, type OwnProtocol, parsePlaces } from '@weir/streams';
import type { Clock } from '../core/clock.ts';
import type { OwnStreams } from '../core/outgoing/media/outgoing-media.ts';
import type { LiveInputs } from './live-inputs.ts';
import type { OwnEndpoints } from './own-endpoints.ts';

interface Context {
  readonly doors: OwnEndpoints;
  readonly inputs: Pick<LiveInputs, 'whenLive'>;
  /** Signs tickets with which the engine tells our programs from viewers. */
  readonly ownToken: string;
  /** Time to wait for a stream that is not published yet, as players do. */
  readonly waitMs: number;
  readonly clock: Pick<Clock, 'dateMs'>;
}

/**
 * Sources whose address is a stream of this server. Our programs read them over loopback with a ticket, so that they do not count as
 * viewers. Tickets go only to our own ports.
 */
export class OwnSources implements OwnStreams {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  get secrets(): readonly string[] {
    const { ownToken, clock } = this.#context;
    // Includes the ticket of the next minute.
    return [0, 60_000].map((ms) => ownTicket(ownToken, clock.dateMs() + ms));
  }

  async inside(url: string, hosts?: readonly string[]): Promise<string | undefined> {
    const { doors, ownToken, clock } = this.#context;
    // Without the engine there is nothing to read from it; other servers need not wait for it.
    const found = await doors.look().catch(() => undefined);
    const protocol = found && findOwnProtocol(url, found.own, hosts);
    if (!protocol) return undefined;
    const { host, port } = found.inside[protocol];
    const [, login = '', rest = ''] = /^[a-z]+:\/\/(?:([^/?#]*@))?[^/?#]*(.*)$/is.exec(url) ?? [];
    return `${protocol}://${login}${host}:${port}${marked[protocol](rest, `${ownTicketParameter}=${ownTicket(ownToken, clock.dateMs())}`)}`;
  }

  async isLive(url: string): Promise<boolean> {
    const { inputs, waitMs } = this.#context;
    const places = parsePlaces(url);
    return places.length === 0 || inputs.whenLive(places, waitMs);
  }
}

/** Path and query with the mark where the engine looks for it. */
const marked: Readonly<Record<OwnProtocol, (rest: string, mark: string) => string>> = {
  // ffmpeg leaves this ending out where it is the last thing of the address, which it is no more.
  rtmp: (rest, mark) => withParameter(rest.replace(/\.flv$/, ''), mark),
  http: (rest, mark) => withParameter(rest.replace(/#.*$/s, ''), mark),
  // Commas part the facts of an id in both of its forms. Without one the usual stream is meant.
  srt: (rest, mark) =>
    /[?&]streamid=/.test(rest)
      ? rest.replace(/[?&]streamid=[^&]*/, (id) => `${id},${mark}`)
      : withParameter(rest, `streamid=,${mark}`),
};

function withParameter(rest: string, mark: string): string {
  return `${rest}${rest.includes('?') ? '&' : '?'}${mark}`;
}
