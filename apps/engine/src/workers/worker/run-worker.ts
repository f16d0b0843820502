import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { type Config, createLog, type Log } from '@weir/plane';
import { linkDescriptor } from '@weir/process';
import type { WorkerMessage } from '../link/link-message.ts';
import type { WorkerNote } from '../link/notes.ts';
import { WorkerLink } from '../link/worker-link.ts';
import { MirroredStreams } from './mirrored-streams.ts';

/** Compiled code is kept once the first client was served. */
const settledMs = 5000;
/** The engine kills a worker that takes longer than 3 s. */
const closeDeadlineMs = 2500;
const readBytes = 64 * 1024;

/** First message to every worker. */
export interface BootNote<Settings> {
  readonly type: 'boot';
  readonly logLevel: Config['logLevel'];
  readonly settings: Settings;
}

interface RunningWorker<In extends WorkerMessage> {
  /** Handles all messages except those about streams. */
  onNote(note: In): void;
  /** Disconnects all clients. */
  close(): Promise<void>;
}

/** Parts of every worker. */
export interface WorkerContext<In extends WorkerMessage, Out extends WorkerMessage, Settings> {
  readonly settings: Settings;
  readonly link: WorkerLink<In | BootNote<Settings>, Out | WorkerNote>;
  readonly log: Log;
  /** Streams that the engine sends to this worker. */
  readonly streams: MirroredStreams;
}

/** Entry point of a worker: follows messages of the engine and exits with it. Logs to standard output, which the engine reads. */
export function runWorker<In extends WorkerMessage, Out extends WorkerMessage, Settings>(
  name: string,
  Worker: new (context: WorkerContext<In, Out, Settings>) => RunningWorker<In>,
): void {
  let log: Log | undefined;
  let worker: RunningWorker<In> | undefined;
  const streams = new MirroredStreams((error) => log?.error({ err: error }, 'some published media was skipped'));
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), closeDeadlineMs).unref();
    const leave = () => socket.end(() => process.exit(0));
    Promise.resolve(worker?.close()).then(leave, leave);
  };
  const socket = new Socket({
    fd: linkDescriptor,
    readable: true,
    writable: true,
    // Frames are read into the same memory repeatedly, which costs a third less than chunks of a stream.
    onread: {
      buffer: Buffer.allocUnsafeSlow(readBytes),
      callback: (count, bytes) => {
        const chunk = Buffer.allocUnsafeSlow(count);
        chunk.set(bytes.subarray(0, count));
        link.read(chunk);
        return true;
      },
    },
  });
  const link = new WorkerLink<In | BootNote<Settings>, Out | WorkerNote>(socket, {
    onNote: (note) => {
      if (isBoot<In, Settings>(note)) {
        log = createLog(name, note.logLevel);
        worker = new Worker({ settings: note.settings, link, log, streams });
      } else if (!streams.onNote(note)) {
        worker?.onNote(note);
      }
    },
    onFrame: (feed, frame) => streams.frame(feed, frame),
    onLost: (reason, error) => {
      if (error !== undefined) log?.fatal({ err: error }, reason);
      process.exit(isStopping ? 0 : 1);
    },
  });
  process.on('SIGTERM', stop);
  // Ignores signals of a terminal to the whole group: the engine decides.
  process.on('SIGINT', () => undefined);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log?.fatal({ err: error }, event);
      process.exit(1);
    });
  }
  setTimeout(flushCompileCache, settledMs).unref();
}

function isBoot<In extends WorkerMessage, Settings>(note: In | BootNote<Settings>): note is BootNote<Settings> {
  return note.type === 'boot';
}
