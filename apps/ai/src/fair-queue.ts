import { busy } from './ai-http-error.ts';

interface Job {
  readonly run: () => Promise<void>;
}

/**
 * Runs a few jobs in parallel, round-robin over callers, so that a busy caller does not starve others. Callers with too many jobs are
 * refused.
 */
export class FairQueue {
  readonly #parallel: number;
  readonly #mostPerCaller: number;
  readonly #mostWaiting: number;
  /** Insertion order is the round-robin order. */
  readonly #waiting = new Map<unknown, Job[]>();
  #waitingCount = 0;
  #running = 0;

  constructor({
    parallel,
    mostPerCaller = 8,
    mostWaiting = 64,
  }: { parallel: number; mostPerCaller?: number; mostWaiting?: number }) {
    this.#parallel = parallel;
    this.#mostPerCaller = mostPerCaller;
    this.#mostWaiting = mostWaiting;
  }

  /** Runs the job in turn; skips it if the signal aborts first. */
  run<T>(caller: unknown, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const own = this.#waiting.get(caller) ?? [];
    if (own.length >= this.#mostPerCaller || this.#waitingCount >= this.#mostWaiting) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const run = async () => {
      if (signal.aborted) return reject(signal.reason);
      await work().then(resolve, reject);
    };
    own.push({ run });
    this.#waiting.set(caller, own);
    this.#waitingCount += 1;
    this.#next();
    return promise;
  }

  #next(): void {
    while (this.#running < this.#parallel) {
      const [turn] = this.#waiting;
      if (!turn) return;
      const [caller, [job, ...rest]] = turn;
      this.#waiting.delete(caller);
      if (rest.length > 0) this.#waiting.set(caller, rest);
      if (!job) continue;
      this.#waitingCount -= 1;
      this.#running += 1;
      void job.run().finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }
}
