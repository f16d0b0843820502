import { totalmem } from 'node:os';
import type { Config, Log } from '@weir/plane';
import type { Stream, StreamView } from '../../hub/stream.ts';
import type { WorkerMessage } from '../link/link-message.ts';
import type { EngineNote, WorkerNote } from '../link/notes.ts';
import type { BootNote } from '../worker/run-worker.ts';
import { StreamFeeds } from './stream-feed.ts';
import { WorkerClients } from './worker-clients.ts';
import type { WorkerName } from './worker-process.ts';
import { type WorkerDeaths, WorkerSupervisor } from './worker-supervisor.ts';

/** Share of memory for all clients of one process. */
const shareOfMemory = 1 / 4;
/** Without anybody for this long the process ends, and its memory is free for others. */
const idleMs = 5 * 60_000;

interface Options<In extends WorkerMessage, Settings> {
  readonly name: WorkerName;
  readonly settings: (roomBytes: number) => Settings;
  /** Memory limit for its clients; a quarter of the machine's by default. */
  readonly roomBytes?: number | undefined;
  /** View of a stream for its viewers. */
  readonly viewOf: (stream: Stream) => StreamView;
  readonly log: Log;
  readonly logLevel: Config['logLevel'];
  /** True while it has clients or expects one. */
  readonly isUsed: () => boolean;
  readonly onNote: (note: In) => void;
  /** Called when the process and all its clients are gone. */
  readonly onEnd: () => void;
}

/** A worker as the engine has it: its process, the streams that it is fed, and its clients. It ends when nobody needs it. */
export class EngineWorker<In extends WorkerMessage, Out extends WorkerMessage, Settings> {
  readonly clients: WorkerClients;
  readonly #options: Options<In, Settings>;
  readonly #keeper: WorkerSupervisor<In, Out | EngineNote | BootNote<Settings>>;
  readonly #feeds: StreamFeeds;
  #lastUsedMs = 0;

  constructor(options: Options<In, Settings>) {
    this.#options = options;
    const { name, settings, log, logLevel, viewOf, onNote, onEnd } = options;
    const { roomBytes = memoryShare(shareOfMemory) } = options;
    this.#keeper = new WorkerSupervisor({
      name,
      roomBytes,
      log,
      onNote,
      onEnd,
      boot: { type: 'boot', logLevel, settings: settings(roomBytes) },
      onFrame: (client, frame) => this.clients.onFrame(client, frame),
    });
    this.#feeds = new StreamFeeds(this.#keeper, viewOf);
    this.clients = new WorkerClients({ tell: (note) => this.#keeper.tell(note), feeds: this.#feeds, log });
  }

  get deaths(): WorkerDeaths | undefined {
    return this.#keeper.deaths;
  }

  async start(): Promise<void> {
    await this.#keeper.start();
    this.#lastUsedMs = performance.now();
  }

  /** No effect without a process. */
  tell(note: Out): void {
    this.#keeper.tell(note);
  }

  /** Handles the messages common to all workers. */
  onNote(note: WorkerNote): void {
    this.clients.onNote(note);
    if (note.type === 'report') this.#look();
  }

  stop(): Promise<void> {
    return this.#keeper.stop();
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }

  /** Every second while the process runs. */
  #look(): void {
    const { log, name, isUsed } = this.#options;
    const frames = this.#feeds.takeDropped();
    if (frames > 0) log.warn({ worker: name, frames }, 'a worker process is too slow, frames were dropped');
    if (isUsed()) this.#lastUsedMs = performance.now();
    else if (performance.now() - this.#lastUsedMs > idleMs) void this.stop();
  }
}

/** A share of the machine's memory, or of what our container may use. */
function memoryShare(share: number): number {
  return Math.min(totalmem(), process.constrainedMemory() || totalmem()) * share;
}
