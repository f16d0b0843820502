import type { Log } from '@weir/plane';
import type { ClientInfo } from './client-info.ts';
import { type ClientEntry, Clients, type Transport } from './clients.ts';
import { type Gate, Refused } from './gate.ts';
import type { Hub } from './hub.ts';
import { recognise } from './own-players.ts';
import type { Publication, Stream } from './stream.ts';
import type { StreamPlace } from './stream-key.ts';

/** Who wants in, whatever its protocol. */
export interface Applicant {
  readonly info: ClientInfo;
  /** Ends its connection. */
  readonly kick: (reason: string) => void;
  /** It may leave while the control plane decides. */
  readonly isGone: () => boolean;
  readonly transport?: Transport;
}

export interface AdmittedPublisher {
  readonly entry: ClientEntry;
  readonly publication: Publication;
  /** Once, however it came to an end. */
  leave(reason: string): void;
}

export interface AdmittedViewer {
  readonly entry: ClientEntry;
  readonly stream: Stream;
  leave(): void;
}

interface Options {
  readonly hub: Hub;
  readonly gate: Gate;
  readonly log: Log;
  /** What our own players show. */
  readonly ownToken?: string;
}

/**
 * The way into the hub and out of it: asks the gate, keeps the list of clients, and tells the gate of everybody's end
 * exactly once. Throws Refused, which is logged here.
 */
export class Admission {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async publish(applicant: Applicant): Promise<AdmittedPublisher> {
    const { info } = applicant;
    const { gate, hub, log } = this.#options;
    try {
      if (hub.find(info.place)?.publisher) {
        throw new Refused('this stream is already being published', { reason: 'in-use' });
      }
      await gate.publish(info);
    } catch (error) {
      throw this.#report('publish', info, error);
    }
    try {
      const entry = Clients.entry(info, applicant.kick, applicant.transport);
      const publication = this.#open(applicant, entry);
      hub.clients.add(entry);
      log.info({ ...factsOf(info) }, 'publisher came');
      return { entry, publication, leave: once((reason) => this.#unpublish(entry, publication, reason)) };
    } catch (error) {
      // It was accepted, so its end is told as well.
      gate.unpublish(info);
      throw this.#report('publish', info, error);
    }
  }

  async play(applicant: Applicant): Promise<AdmittedViewer> {
    const { gate, hub, log, ownToken = '' } = this.#options;
    const info = recognise(applicant.info, ownToken);
    const tellStop = () => (info.isOwn ? undefined : gate.stop(info));
    try {
      if (!hub.find(info.place)) throw new Refused('no such stream is live');
      if (!info.isOwn) await gate.play(info);
    } catch (error) {
      throw this.#report('play', info, error);
    }
    const stream = hub.find(info.place);
    if (applicant.isGone() || !stream) {
      tellStop();
      throw this.#report('play', info, new Refused(stream ? 'the viewer left' : 'the stream has ended'));
    }
    const drop = once((reason) => {
      log.debug({ ...factsOf(info), reason, bytes: entry.counters.bytesOut }, 'viewer dropped');
      applicant.kick(reason);
    });
    const entry = Clients.entry(info, drop, applicant.transport);
    hub.clients.add(entry);
    const leave = once(() => {
      hub.clients.delete(info.id);
      tellStop();
    });
    return { entry, stream, leave: () => leave('') };
  }

  #open({ info, isGone }: Applicant, entry: ClientEntry): Publication {
    if (isGone()) throw new Refused('the publisher left');
    const stream = this.#options.hub.open(info.place);
    if (!stream) throw new Refused('there are too many streams', { reason: 'too-many' });
    return stream.publish(entry);
  }

  #unpublish({ info, counters }: ClientEntry, publication: Publication, reason: string): void {
    publication.end();
    this.#options.hub.clients.delete(info.id);
    this.#options.gate.unpublish(info);
    this.#options.log.info({ ...factsOf(info), bytes: counters.bytesIn, reason }, 'publisher left');
  }

  #report(what: 'publish' | 'play', info: ClientInfo, error: unknown): Refused {
    const facts = { ...factsOf(info), reason: error instanceof Refused ? error.message : 'internal error' };
    if (error instanceof Refused) {
      if (error.reason) this.#options.gate.publishRefused(info, error.reason);
      this.#options.log.warn(facts, `${what} refused`);
      return error;
    }
    this.#options.log.error({ ...facts, err: error }, `${what} failed`);
    return new Refused('internal error', { cause: error });
  }
}

function factsOf({ place, id, address, kind }: ClientInfo): Record<string, unknown> {
  return { protocol: kind.split('-')[0], stream: nameOf(place), client: id, address };
}

function nameOf({ app, name }: StreamPlace): string {
  return `${app}/${name}`;
}

function once(act: (reason: string) => void): (reason: string) => void {
  let isDone = false;
  return (reason) => {
    if (isDone) return;
    isDone = true;
    act(reason);
  };
}
