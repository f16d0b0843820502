import type { Log } from '../log/log.ts';

/** Owns background work: reports it when it fails, ends it on close. Nothing is fired and forgotten. */
export class TaskGroup {
  readonly #log: Log;
  readonly #abort = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Runs long work that returns soon after its signal aborts. */
  spawn(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = this.#abort;
    const task = work(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#log.error({ task: name, err: error }, 'task failed');
      })
      .finally(() => this.#running.delete(task));
    this.#running.add(task);
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#running);
  }
}
