import { totalmem } from 'node:os';
import type { WorkerExits, WorkerName } from '@weir/engine-api';
import type { Config, Log } from '@weir/plane';
import type { Quality } from '../../hub/qualities/quality.ts';
import type { Stream, StreamView } from '../../hub/stream.ts';
import type { WorkerMessage } from '../link/link-message.ts';
import type { EngineNote, WorkerNote } from '../link/notes.ts';
import type { BootNote } from '../worker/run-worker.ts';
import { StreamFeeds } from './stream-feed.ts';
import { WorkerClients } from './worker-clients.ts';
import { WorkerProcess } from './worker-process.ts';

/** Share of memory for all clients of one process. */
const shareOfMemory = 1 / 4;

interface Options<In extends WorkerMessage, Settings> {
  readonly name: WorkerName;
  readonly settings: (roomBytes: number) => Settings;
  /** Memory limit for its clients; a quarter of the machine's by default. */
  readonly roomBytes?: number | undefined;
  /** View of a stream for its viewers. */
  readonly viewOf: (stream: Stream, quality: Quality | undefined) => StreamView;
  /** True if its viewers choose among all qualities of a stream. */
  readonly qualities?: 'all';
  readonly log: Log;
  readonly logLevel: Config['logLevel'];
  /** True while it has clients or expects one. */
  readonly isUsed: () => boolean;
  readonly onNote: (note: In) => void;
  /** Called when the process and all its clients are gone. */
  readonly onEnd: () => void;
}

/** Engine side of a worker: its process, its streams and its clients. Ends when unused. */
export class EngineWorker<In extends WorkerMessage, Out extends WorkerMessage, Settings> {
  readonly clients: WorkerClients;
  readonly #options: Options<In, Settings>;
  readonly #process: WorkerProcess<In, Out | EngineNote | BootNote<Settings>>;
  readonly #feeds: StreamFeeds;

  constructor(options: Options<In, Settings>) {
    this.#options = options;
    const { name, settings, log, logLevel, viewOf, isUsed, onNote, onEnd } = options;
    const { roomBytes = memoryShare(shareOfMemory) } = options;
    this.#process = new WorkerProcess({
      name,
      roomBytes,
      log,
      isUsed,
      onNote,
      onEnd,
      boot: { type: 'boot', logLevel, settings: settings(roomBytes) },
      onFrame: (client, frame) => this.clients.onFrame(client, frame),
    });
    this.#feeds = new StreamFeeds(this.#process, viewOf, options.qualities);
    this.clients = new WorkerClients({ tell: (note) => this.#process.tell(note), feeds: this.#feeds, log });
  }

  get exits(): WorkerExits | undefined {
    return this.#process.exits;
  }

  start(): Promise<void> {
    return this.#process.start();
  }

  /** No effect without a process. */
  tell(note: Out): void {
    this.#process.tell(note);
  }

  /** Handles the messages common to all workers. */
  onNote(note: WorkerNote): void {
    this.clients.onNote(note);
    if (note.type === 'report') this.#warnOfDropped();
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  /** Every second while the process runs. */
  #warnOfDropped(): void {
    const { log, name } = this.#options;
    const frames = this.#feeds.takeDropped();
    if (frames > 0) log.warn({ worker: name, frames }, 'a worker process is too slow, frames were dropped');
  }
}

/** Share of the machine's memory, or of the limit of our container. */
export function memoryShare(share: number): number {
  return Math.min(totalmem(), process.constrainedMemory() || totalmem()) * share;
}
