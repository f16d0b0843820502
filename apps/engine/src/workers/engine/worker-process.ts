import { join } from 'node:path';
import type { WorkerExits, WorkerName } from '@weir/engine-api';
import type { MediaFrame } from '@weir/media';
import { IdleTimeout, type Log } from '@weir/plane';
import { Child, logLines, ManagedProcess } from '@weir/process';
import type { ProcessExit } from '@weir/streams';
import type { WorkerMessage } from '../link/link-message.ts';
import { WorkerLink } from '../link/worker-link.ts';

const levels = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
/** Copies a worker's log records into our log, which redacts secrets. Any other output is logged as text. */
function workerOutput(log: Log): (chunk: Buffer) => void {
  return logLines(({ level, msg, time: _time, name: _name, ...fields }, line) => {
    const known = levels.find((one) => one === level);
    if (known && typeof msg === 'string') log[known](fields, msg);
    else log.warn({ said: line.slice(0, 1000) }, 'output of a worker process');
  });
}

/** Workers report every second. A worker silent for this long hangs. */
const silentMs = 15_000;
/** A Node process has this much mapped before it does anything: code, stacks, heaps. Measured: 370 MB with libsrt. */
const ownBytes = 640 * 1024 * 1024;
const heapMb = 512;
/**
 * Size of the young generation: collected rarely, so most objects are dead by then. Survivors would be promoted and
 * make full collections expensive.
 */
const youngMb = 8;
/** With hundreds of SRT players V8 would double it, for some 20 MB. */
const youngOptions: Readonly<Record<WorkerName, readonly string[]>> = {
  srt: [`--min-semi-space-size=${youngMb}`, `--max-semi-space-size=${youngMb}`],
  rtc: [`--min-semi-space-size=${youngMb}`],
  delivery: [`--max-semi-space-size=${youngMb}`],
};
/**
 * Each datagram is read into 64 KB, of which it keeps what it needs. As little memory as the planes hold in stock, that would
 * be taken from the system and given back for every single one.
 */
const environment = {
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TOP_PAD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** Idle time after which the process exits and frees its memory. */
const idleMs = 5 * 60_000;
const backOff = { firstMs: 200, mostMs: 10_000, healthyMs: 30_000 };
/** Time for which a crash is reported. */
const reportedMs = 3600_000;

interface Options<In extends WorkerMessage, Out extends WorkerMessage> {
  readonly name: WorkerName;
  /** First message to it. */
  readonly boot: Out;
  /** Memory limit for its clients. */
  readonly roomBytes: number;
  /** Descriptor that it gets, for connections that are given to it. */
  readonly shared?: () => number | undefined;
  readonly log: Log;
  /** True while it has clients or expects one. */
  readonly isUsed: () => boolean;
  readonly onNote: (note: In) => void;
  readonly onFrame: (number: number, frame: MediaFrame) => void;
  /** Called when the process and all its clients are gone. */
  readonly onEnd: () => void;
}

/** Entry files are beside the plane's own: one folder up as source, in the same folder when built. */
const isBuilt = import.meta.filename.endsWith('.cjs');
const entryOf = (name: WorkerName) =>
  join(import.meta.dirname, isBuilt ? `${name}-worker.cjs` : `../../${name}-worker.ts`);

/** Process that holds the sockets of a protocol, with a link to it: started when it is needed. It never outlives the engine. */
export class WorkerProcess<In extends WorkerMessage, Out extends WorkerMessage> {
  readonly #options: Options<In, Out>;
  readonly #process: ManagedProcess;
  readonly #mostBytes: number;
  #link: WorkerLink<In, Out> | undefined;
  #child: Child | undefined;
  #silence: IdleTimeout | undefined;
  #residentBytes: number | undefined;

  constructor(options: Options<In, Out>) {
    this.#options = options;
    this.#mostBytes = ownBytes + options.roomBytes;
    const limits = { mostBytes: this.#mostBytes, idleBytes: this.#mostBytes };
    this.#process = new ManagedProcess({
      backOff,
      start: (run) => {
        const child = this.#start();
        run.ready();
        return child;
      },
      idle: { afterMs: idleMs, isUsed: options.isUsed },
      // Enforces the limit where the kernel does not.
      memory: { limits: async () => limits, measure: () => this.#residentBytes, isFailure: true },
      onExit: (exit, { pauseMs }) => this.#exited(exit, pauseMs),
    });
  }

  get queuedBytes(): number {
    return this.#link?.queuedBytes ?? 0;
  }

  /** Undefined without a recent one. */
  get exits(): WorkerExits | undefined {
    const recent = this.#process.recentFailures(reportedMs);
    const last = recent.at(-1);
    return last && { worker: this.#options.name, count: recent.length, last };
  }

  /** Resolves when there is a process: at once, or when its pause is over. */
  async start(): Promise<void> {
    // Closed or gone before it began: its end is reported like every other.
    await this.#process.start().catch(() => undefined);
  }

  /** No effect without a process. */
  tell(note: Out): void {
    this.#link?.tell(note);
  }

  frame(number: number, frame: MediaFrame): void {
    this.#link?.frame(number, frame);
  }

  /** Shares a connection with it. No effect without a process. */
  give(message: object, handle: unknown): void {
    this.#child?.give(message, handle);
  }

  stop(): Promise<void> {
    return this.#process.end('stopped');
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  #start(): Child {
    const { name, boot, log, onNote, onFrame } = this.#options;
    this.#residentBytes = undefined;
    const child = new Child({
      command: process.execPath,
      args: [`--max-old-space-size=${heapMb}`, ...youngOptions[name], entryOf(name)],
      environment,
      hasLink: true,
      shared: this.#options.shared?.(),
      softStop: 'signal',
      mostBytes: this.#mostBytes,
      onOutput: workerOutput(log),
    });
    this.#child = child;
    if (!child.link) return child;
    this.#silence = new IdleTimeout(silentMs, () => this.#process.fail('not responding'));
    this.#link = new WorkerLink<In, Out>(child.link, {
      onNote: (note) => {
        this.#silence?.refresh();
        if ('residentBytes' in note && typeof note.residentBytes === 'number') this.#residentBytes = note.residentBytes;
        onNote(note);
      },
      onFrame,
      onLost: (reason, error) => {
        if (error !== undefined)
          log.error({ err: error, worker: name }, 'message of a worker process could not be handled');
        this.#lost(child, reason);
      },
    });
    this.#link.tell(boot);
    return child;
  }

  /** A link without a reason ended with its process, whose own end says more. */
  #lost(child: Child, reason: string): void {
    if (reason === '') child.kill();
    else this.#process.fail(reason);
  }

  #exited({ wanted, reason, code, signal }: ProcessExit, delayMs: number): void {
    const { log, name, onEnd } = this.#options;
    this.#silence?.end();
    this.#link = undefined;
    this.#child = undefined;
    if (!wanted && delayMs > 0) {
      log.error(
        { worker: name, reason, exit: code, signal, delayMs },
        'a worker process ended, its clients were disconnected',
      );
    }
    onEnd();
  }
}
