import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaFrame } from '@weir/media';
import { BackOff } from '@weir/process/back-off';
import type { WorkerMessage } from '../link/link-message.ts';
import { type WorkerName, type WorkerOptions, WorkerProcess } from './worker-process.ts';

const pauses = { firstMs: 200, mostMs: 10_000, healthyMs: 30_000 };
/** Time for which a crash is reported. */
const tellMs = 3600_000;

/** Deaths of a worker that nobody asked for, in the last hour. */
export interface WorkerDeaths {
  readonly worker: WorkerName;
  readonly count: number;
  readonly lastAt: string;
  readonly reason: string;
}

type Options<In extends WorkerMessage, Out extends WorkerMessage> = Omit<WorkerOptions<In, Out>, 'onEnd'> & {
  /** Called when the process and all its clients are gone. */
  readonly onEnd: () => void;
};

/** Starts the process of a worker when it is needed, and again, a little later each time, when it died. */
export class WorkerSupervisor<In extends WorkerMessage, Out extends WorkerMessage> {
  readonly #options: Options<In, Out>;
  readonly #backOff = new BackOff(pauses);
  readonly #closing = new AbortController();
  #process: WorkerProcess<In, Out> | undefined;
  #starting: Promise<void> | undefined;
  #notBeforeMs = 0;
  #deaths: { atMs: number; reason: string }[] = [];

  constructor(options: Options<In, Out>) {
    this.#options = options;
  }

  get queuedBytes(): number {
    return this.#process?.queuedBytes ?? 0;
  }

  /** No effect without a process. */
  tell(note: Out): void {
    this.#process?.tell(note);
  }

  frame(number: number, frame: MediaFrame): void {
    this.#process?.frame(number, frame);
  }

  get deaths(): WorkerDeaths | undefined {
    this.#deaths = this.#deaths.filter(({ atMs }) => Date.now() - atMs < tellMs);
    const last = this.#deaths.at(-1);
    if (!last) return undefined;
    const { name: worker } = this.#options;
    return { worker, count: this.#deaths.length, lastAt: new Date(last.atMs).toISOString(), reason: last.reason };
  }

  /** Resolves when there is a process: at once, or when its pause is over. */
  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.stop();
  }

  async #start(): Promise<void> {
    const { signal } = this.#closing;
    if (this.#process) return;
    const waitMs = this.#notBeforeMs - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    this.#process = new WorkerProcess<In, Out>({ ...this.#options, onEnd: (end) => this.#ended(end) });
  }

  #ended({ isWanted, reason, code, signal, ranMs }: Parameters<WorkerOptions<In, Out>['onEnd']>[0]): void {
    const { log, name } = this.#options;
    this.#process = undefined;
    if (!isWanted && !this.#closing.signal.aborted) {
      const delayMs = Math.round(this.#backOff.next(ranMs));
      this.#notBeforeMs = performance.now() + delayMs;
      this.#deaths = [...this.#deaths.slice(-99), { atMs: Date.now(), reason }];
      log.error(
        { worker: name, reason, exit: code, signal, delayMs },
        'a worker process ended, its clients were disconnected',
      );
    }
    this.#options.onEnd();
  }
}
