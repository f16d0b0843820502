import { join } from 'node:path';
import type { MediaFrame } from '@weir/media';
import { IdleTimeout, type Log } from '@weir/plane';
import { Child, type ChildEnd } from '@weir/process';
import type { WorkerMessage } from '../link/link-message.ts';
import { WorkerLink } from '../link/worker-link.ts';

const levels = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
/** A worker that writes without line ends says nothing we could use. */
const mostLineBytes = 64 * 1024;

/** Copies a worker's log records into our log, which redacts secrets. Any other output is logged as text. */
function workerOutput(log: Log): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = (lines.pop() ?? '').slice(-mostLineBytes);
    for (const line of lines) if (line !== '') write(log, line);
  };
}

function write(log: Log, line: string): void {
  const { level, msg, time: _time, name: _name, ...fields } = parse(line);
  const known = levels.find((one) => one === level);
  if (known && typeof msg === 'string') log[known](fields, msg);
  else log.warn({ said: line.slice(0, 1000) }, 'output of a worker process');
}

function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Workers tell every second how they are. One that does not for this long hangs. */
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

export type WorkerName = 'srt' | 'rtc';

export interface WorkerOptions<In extends WorkerMessage, Out extends WorkerMessage> {
  readonly name: WorkerName;
  /** First message to it. */
  readonly boot: Out;
  /** Memory limit for its clients. */
  readonly roomBytes: number;
  readonly log: Log;
  readonly onNote: (note: In) => void;
  readonly onFrame: (number: number, frame: MediaFrame) => void;
  /** Once, after all that it told. */
  readonly onEnd: (end: ChildEnd) => void;
}

/** Entries lie beside the plane's own: as source one floor up, built in the same folder as this. */
const isBuilt = import.meta.filename.endsWith('.cjs');
const entryOf = (name: WorkerName) =>
  join(import.meta.dirname, isBuilt ? `${name}-worker.cjs` : `../../${name}-worker.ts`);

/** Process that holds the sockets of a protocol, with a link to it. It never outlives the engine. */
export class WorkerProcess<In extends WorkerMessage, Out extends WorkerMessage> {
  readonly #child: Child;
  readonly #link: WorkerLink<In, Out> | undefined;
  readonly #silence: IdleTimeout;
  readonly #mostBytes: number;
  #reason = '';

  constructor({ name, boot, roomBytes, log, onNote, onFrame, onEnd }: WorkerOptions<In, Out>) {
    this.#mostBytes = ownBytes + roomBytes;
    this.#silence = new IdleTimeout(silentMs, () => this.kill('not responding'));
    this.#child = new Child({
      command: process.execPath,
      args: [`--max-old-space-size=${heapMb}`, ...youngOptions[name], entryOf(name)],
      environment,
      hasLink: true,
      softStop: 'signal',
      mostBytes: this.#mostBytes,
      onOutput: workerOutput(log),
      onEnd: (end) => {
        this.#silence.end();
        onEnd(this.#reason === '' || end.isWanted ? end : { ...end, reason: this.#reason });
      },
    });
    const socket = this.#child.link;
    if (!socket) return;
    this.#link = new WorkerLink<In, Out>(socket, {
      onNote: (note) => {
        this.#silence.refresh();
        this.#watch(note);
        onNote(note);
      },
      onFrame,
      onLost: (reason, error) => {
        if (error !== undefined)
          log.error({ err: error, worker: name }, 'message of a worker process could not be handled');
        this.kill(reason);
      },
    });
    this.#link.tell(boot);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get queuedBytes(): number {
    return this.#link?.queuedBytes ?? 0;
  }

  tell(note: Out): void {
    this.#link?.tell(note);
  }

  frame(number: number, frame: MediaFrame): void {
    this.#link?.frame(number, frame);
  }

  /** Asks it to end; resolves when it is gone. */
  async stop(): Promise<void> {
    await this.#child.stop();
  }

  kill(reason: string): void {
    if (this.#reason === '') this.#reason = reason;
    this.#child.kill();
  }

  /** Enforces the memory limit where the kernel does not. */
  #watch(note: WorkerMessage): void {
    if (!('residentBytes' in note) || typeof note.residentBytes !== 'number') return;
    if (note.residentBytes > this.#mostBytes) this.kill('used too much memory');
  }
}
