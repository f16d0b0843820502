import { MalformedMedia, type MediaFrame, type TrackConfig } from '@weir/media';
import type { Log } from '@weir/plane';
import type { AdmittedPublisher, AdmittedViewer, Replaceable } from '../../hub/clients/admission.ts';
import type { ClientCounters } from '../../hub/clients/client-info.ts';
import type { ClientEntry } from '../../hub/clients/clients.ts';
import type { Publication, Stream } from '../../hub/stream.ts';
import { readConfig, readLayerNumber } from '../link/link-message.ts';
import type { EngineNote, ReportRow, WorkerNote } from '../link/notes.ts';
import type { StreamFeeds } from './stream-feed.ts';

const lookEveryMs = 5000;

interface Member {
  readonly entry: ClientEntry;
  /** A publisher's. */
  readonly publication?: Publication;
  /** A viewer's. */
  readonly stream?: Stream;
  readonly leave: (reason: string) => void;
  facts: Readonly<Record<string, number>> | undefined;
}

interface Options {
  readonly tell: (note: EngineNote) => void;
  readonly feeds: StreamFeeds;
  readonly log: Log;
}

/** Clients of one worker, as the hub knows them. They end with it, each reported once. */
export class WorkerClients {
  readonly #options: Options;
  readonly #members = new Map<number, Member>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
  }

  get size(): number {
    return this.#members.size;
  }

  publish(client: number, { entry, publication, leave }: AdmittedPublisher): void {
    this.#members.set(client, { entry, publication, leave, facts: undefined });
  }

  /** Sends the worker's number of the stream. */
  play(client: number, { entry, stream, leave }: AdmittedViewer): number {
    const { feeds } = this.#options;
    const quality = feeds.choose(stream, entry.info.param);
    const feed = feeds.enter(stream, quality);
    entry.quality = quality?.name;
    entry.lag = () => entry.counters.behindMs;
    this.#members.set(client, {
      entry,
      stream,
      facts: undefined,
      leave: () => {
        feeds.leave(stream, quality);
        leave();
      },
    });
    return feed;
  }

  /** Transport statistics from the worker's last report; reports are more frequent while someone looks. */
  factsOf(client: number, isGlance = false): Readonly<Record<string, number>> | undefined {
    const nowMs = performance.now();
    if (!isGlance && nowMs - this.#lookedMs > lookEveryMs) {
      this.#lookedMs = nowMs;
      this.#options.tell({ type: 'look' });
    }
    return this.#members.get(client)?.facts;
  }

  /** Handle to end a publisher at once, without waiting for its worker. */
  publisherAt(client: number | undefined): Replaceable | undefined {
    const member = client === undefined ? undefined : this.#members.get(client);
    if (client === undefined || !member?.publication) return undefined;
    const end = (reason: string) => {
      this.#leave(client, reason);
      this.kick(client, reason);
    };
    return { id: member.entry.info.id, end };
  }

  kick(client: number, reason: string): void {
    this.#options.tell({ type: 'end', client, reason });
  }

  onNote(note: WorkerNote): void {
    switch (note.type) {
      case 'report':
        this.#options.feeds.sync();
        for (const row of note.rows) this.#count(row);
        return;
      case 'left':
        this.#leave(note.client, note.reason, note.counters);
        return;
      case 'config':
        this.#give(note.client, (publication) => giveConfig(publication, readConfig(note.config), note.layer));
        return;
      case 'lead':
        this.#give(note.client, (publication) => publication.lead(note.layer));
        return;
      case 'metadata':
        this.#give(note.client, (publication) => publication.metadata(note.values));
    }
  }

  onFrame(number: number, frame: MediaFrame): void {
    const { client, layer } = readLayerNumber(number);
    const publication = this.#members.get(client)?.publication;
    try {
      if (layer === undefined) publication?.frame(frame);
      else if (frame.kind === 'audio') publication?.audioTrack(layer, frame);
      else publication?.lower(layer, frame);
    } catch (error) {
      this.#fault(client, error);
    }
  }

  /** The worker is gone with all its clients. */
  lose(reason: string): void {
    for (const client of [...this.#members.keys()]) this.#leave(client, reason);
  }

  #leave(client: number, reason: string, counters?: ClientCounters): void {
    const member = this.#members.get(client);
    if (!member) return;
    this.#members.delete(client);
    if (counters) this.#add(member, counters);
    member.leave(reason);
  }

  #count([client, counters, facts]: ReportRow): void {
    const member = this.#members.get(client);
    if (!member) return;
    this.#add(member, counters);
    if (facts) member.facts = facts;
  }

  #add({ entry, stream }: Member, { bytesIn, bytesOut, droppedFrames, behindMs }: ClientCounters): void {
    stream?.stats.bytesOut.add(Math.max(0, bytesOut - entry.counters.bytesOut));
    Object.assign(entry.counters, { bytesIn, bytesOut, droppedFrames, behindMs });
  }

  #give(client: number, act: (publication: Publication) => void): void {
    const publication = this.#members.get(client)?.publication;
    if (!publication) return;
    try {
      act(publication);
    } catch (error) {
      this.#fault(client, error);
    }
  }

  /** A faulty publisher loses its connection; others are unaffected. */
  #fault(client: number, error: unknown): void {
    const isMalformed = error instanceof MalformedMedia;
    if (!isMalformed) this.#options.log.error({ err: error }, 'connection failed');
    this.kick(client, isMalformed ? `malformed: ${error.message}` : 'internal error');
  }
}

function giveConfig(publication: Publication, config: TrackConfig, layer: number | undefined): void {
  if (layer === undefined) publication.config(config);
  else if (config.kind === 'video') publication.lower(layer, config);
  else publication.audioTrack(layer, config);
}
