import { IdleTimeout, type Log, LogRateLimiter, SecretRedactor } from '@weir/plane';
import { type StreamPlace, toNetwork } from '@weir/streams';
import type { AccessGate } from '../access-gate.ts';
import type { Hub } from '../hub.ts';
import { type NetworkLimits, NetworkShares } from '../network-shares.ts';
import { streamPlaceOf } from '../program/input-place.ts';
import type { Programs } from '../program/programs.ts';
import type { Publication, Stream } from '../stream.ts';
import type { ClientInfo } from './client-info.ts';
import { type ClientEntry, Clients, type Transport } from './clients.ts';
import { type Gate, Refused } from './gate.ts';
import { recognise } from './own-clients.ts';
import { toPublisherEnd } from './publisher-end.ts';

interface EarlyViewer {
  readonly place: StreamPlace;
  readonly address: string;
  /** Calls back once it has left, at the latest when that is of no interest any more. */
  readonly onGone?: ((then: () => void) => void) | undefined;
}

interface EarlyLimits {
  /** Longest wait; 0 for none. */
  readonly ms: number;
  readonly all: number;
  readonly networks: NetworkLimits;
}

/** Viewers before the begin of a show may come from one house; each costs its connection and nothing else. */
const earlyLimits: Omit<EarlyLimits, 'ms'> = {
  all: 4000,
  networks: { network: 200, site: 1000, region: 2000 },
};

/** Viewers that wait for a stream to begin. They are not counted yet. */
class EarlyViewers {
  readonly #hub: Hub;
  readonly #limits: EarlyLimits;
  readonly #shares: NetworkShares;
  #size = 0;

  constructor(hub: Hub, limits: EarlyLimits) {
    this.#hub = hub;
    this.#limits = limits;
    this.#shares = new NetworkShares(limits.networks);
  }

  get size(): number {
    return this.#size;
  }

  /** True if viewers may wait at all; the limits may still refuse one. */
  get isOpen(): boolean {
    return this.#limits.ms > 0 && this.#size < this.#limits.all;
  }

  /** The stream, or undefined when it did not come in time, the waiting one left, or there was no room. */
  wait({ place, address, onGone }: EarlyViewer, mostMs = Number.POSITIVE_INFINITY): Promise<Stream | undefined> {
    const { promise, resolve } = Promise.withResolvers<Stream | undefined>();
    if (!this.isOpen || !this.#shares.take(address)) return Promise.resolve(undefined);
    this.#size += 1;
    let isOver = false;
    const leave = (stream: Stream | undefined) => {
      if (isOver) return;
      isOver = true;
      patience.end();
      stopWaiting();
      this.#size -= 1;
      this.#shares.giveBack(address);
      resolve(stream);
    };
    const patience = new IdleTimeout(Math.min(this.#limits.ms, mostMs), () => leave(undefined));
    const stopWaiting = this.#hub.expect(place, leave);
    onGone?.(() => leave(undefined));
    return promise;
  }
}

/** Peer of any protocol that asks for admission. */
export interface Applicant {
  readonly info: ClientInfo;
  /** Ends its connection. */
  readonly kick: (reason: string) => void;
  /** True if it left while the control plane decided. */
  readonly isGone: () => boolean;
  /** Calls back when the peer has left, which ends its waiting. */
  readonly onGone?: (then: () => void) => void;
  /** A viewer's: how long it can be kept waiting, where that is shorter than for others. */
  readonly patienceMs?: number;
  readonly transport?: Transport;
  /** A publisher of the same stream that does not answer any more: it gives way once this one is allowed. */
  readonly replaces?: Replaceable | undefined;
}

export interface Replaceable {
  readonly id: string;
  readonly end: (reason: string) => void;
}

export interface AdmittedPublisher {
  readonly entry: ClientEntry;
  readonly publication: Publication;
  /** Called exactly once at the end. */
  leave(reason: string): void;
}

export interface AdmittedViewer {
  readonly entry: ClientEntry;
  readonly stream: Stream;
  leave(): void;
}

/**
 * Delay between unlisting a kicked publisher and closing its connection, so that a caller who also watches the connection sees the answer
 * first.
 */
const closeAfterMs = 300;

interface Options {
  readonly hub: Hub;
  readonly gate: Gate;
  /** Streams behind playback ids. */
  readonly access?: Pick<AccessGate, 'resolve'>;
  /** Places that several publish to, each to an input of its own. */
  readonly programs?: Pick<Programs, 'has' | 'accept'>;
  readonly log: Log;
  /** Token of our own programs. */
  readonly ownToken?: string;
  /** The publish secret may stand in a name. Until it is known no name is written down. */
  readonly hidden?: SecretRedactor;
  /** Time that viewers wait for a stream before it is published. Absent: they do not wait. */
  readonly waiting?: Pick<EarlyLimits, 'ms'> & Partial<EarlyLimits>;
}

/** Refusals are unlimited; a few log lines of each network are enough. */
const refusalLines = { each: 5, all: 50, windowMs: 60_000 };

/**
 * The way into the hub and out of it: asks the gate, keeps the list of clients, and tells the gate of everybody's end
 * exactly once. Throws Refused, which is logged here.
 */
export class Admission {
  readonly #options: Options;
  readonly #hidden: SecretRedactor;
  readonly #early: EarlyViewers;
  readonly #refusals = new LogRateLimiter(refusalLines, {
    onQuiet: (more) => this.#options.log.warn({ more }, 'more connections refused'),
  });

  constructor(options: Options) {
    this.#options = options;
    this.#hidden = options.hidden ?? new SecretRedactor([]);
    this.#early = new EarlyViewers(options.hub, { ms: 0, ...earlyLimits, ...options.waiting });
  }

  async publish(applicant: Applicant): Promise<AdmittedPublisher> {
    const { replaces } = applicant;
    const { gate, hub, log, programs } = this.#options;
    let info = applicant.info;
    const current = () => hub.find(streamPlaceOf(info))?.publisher;
    try {
      // Which input of a program is meant is told by the key alone.
      const rival = programs?.has(info.place) || current()?.info.id === replaces?.id ? undefined : current();
      // An encoder whose address changed leaves a dead connection open.
      if (rival && (await (rival.answers?.() ?? true))) {
        throw new Refused('this stream is already being published', { reason: 'in-use' });
      }
      const choice = await gate.publish(info);
      if (choice && programs) {
        programs.accept(choice);
        info = { ...info, input: choice.input };
      }
      const lost = 'nothing received, replaced by another connection';
      if (current()?.info.id === replaces?.id) replaces?.end(lost);
      if (rival && current() === rival) rival.kick(lost);
    } catch (error) {
      throw this.#report('publish', info, error);
    }
    try {
      const kick = (reason: string) => {
        leave(reason);
        setTimeout(() => applicant.kick(reason), closeAfterMs).unref();
      };
      const entry = Clients.entry(info, kick, applicant.transport);
      const publication = this.#open(applicant, entry);
      const leave = once((reason) => this.#unpublish(entry, publication, reason));
      hub.clients.add(entry);
      log.info(this.#factsOf(info), 'publisher connected');
      return { entry, publication, leave };
    } catch (error) {
      // The client was accepted, so its end must be reported too.
      gate.unpublish(info, 'failed');
      throw this.#report('publish', info, error);
    }
  }

  /** Viewers that wait. */
  get waiting(): number {
    return this.#early.size;
  }

  /** True if viewers of a missing stream may wait. */
  get canWait(): boolean {
    return this.#early.isOpen;
  }

  /** The stream that a playback id stands for; any other place as it is. */
  resolve(place: StreamPlace): StreamPlace {
    return this.#options.access?.resolve(place) ?? place;
  }

  /** Resolves with the stream, at once or when its publisher comes; undefined if none comes in time. */
  async find(viewer: EarlyViewer, patienceMs?: number): Promise<Stream | undefined> {
    const place = this.resolve(viewer.place);
    return this.#options.hub.find(place) ?? this.#early.wait({ ...viewer, place }, patienceMs);
  }

  async play(applicant: Applicant): Promise<AdmittedViewer> {
    const { gate, hub, log, ownToken = '' } = this.#options;
    const asked = { ...applicant.info, place: this.resolve(applicant.info.place) };
    const info = recognise(asked, ownToken);
    const reportStop = () => (info.isOwn ? undefined : gate.stop(info));
    const absent = new Refused('no such stream is live', { isAbsent: true });
    try {
      if (!hub.find(info.place) && !this.canWait) throw absent;
      // SRS reports viewers when they come, even without a publisher.
      if (!info.isOwn) await gate.play(info);
    } catch (error) {
      throw this.#report('play', info, error);
    }
    const { place, address } = info;
    const stream = await this.find({ place, address, onGone: applicant.onGone }, applicant.patienceMs);
    if (applicant.isGone() || !stream) {
      reportStop();
      throw this.#report('play', info, applicant.isGone() ? new Refused('the viewer left') : absent);
    }
    const drop = once((reason) => {
      log.debug({ ...this.#factsOf(info), reason, bytes: entry.counters.bytesOut }, 'viewer dropped');
      applicant.kick(reason);
    });
    const entry = Clients.entry(info, drop, applicant.transport);
    hub.clients.add(entry);
    const leave = once(() => {
      hub.clients.delete(info.id);
      reportStop();
    });
    return { entry, stream, leave: () => leave('') };
  }

  #open({ isGone }: Applicant, entry: ClientEntry): Publication {
    if (isGone()) throw new Refused('the publisher disconnected');
    const stream = this.#options.hub.open(streamPlaceOf(entry.info));
    if (!stream) throw new Refused('too many streams', { reason: 'too-many' });
    return stream.publish(entry);
  }

  #unpublish({ info, counters }: ClientEntry, publication: Publication, reason: string): void {
    publication.end();
    this.#options.hub.clients.delete(info.id);
    this.#options.gate.unpublish(info, toPublisherEnd(reason));
    this.#options.log.info({ ...this.#factsOf(info), bytes: counters.bytesIn, reason }, 'publisher disconnected');
  }

  #report(what: 'publish' | 'play', info: ClientInfo, error: unknown): Refused {
    const refused = error instanceof Refused ? error : new Refused('internal error', { cause: error });
    if (refused.reason) this.#options.gate.publishRefused(info, refused.reason);
    const more = this.#refusals.pass(`${what} ${toNetwork(info.address)}`);
    if (more === undefined) return refused;
    const facts = { ...this.#factsOf(info), reason: refused.message, ...(more > 0 && { more }) };
    if (refused === error) this.#options.log.warn(facts, `${what} refused`);
    else this.#options.log.error({ ...facts, err: error }, `${what} failed`);
    return refused;
  }

  #factsOf({ place: { app, name }, id, address, kind }: ClientInfo): Record<string, unknown> {
    const stream = this.#hidden.isSet ? this.#hidden.hide(`${app}/${name}`) : '[hidden]';
    return { protocol: kind.split('-')[0], stream, client: id, address };
  }
}

function once(act: (reason: string) => void): (reason: string) => void {
  let isDone = false;
  return (reason) => {
    if (isDone) return;
    isDone = true;
    act(reason);
  };
}
