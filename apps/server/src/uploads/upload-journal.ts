import type { Clock } from '../core/clock.ts';
import type { Collection, Entry, Store } from '../core/store/store.ts';
import { UploadJob } from './upload-job.ts';

/** The uploads that are still to be done, in the order they were asked for, in the store. */
export class UploadJournal {
  readonly #jobs: Collection<UploadJob>;
  readonly #clock: Pick<Clock, 'dateMs'>;
  #last = 0;

  constructor(store: Store, clock: Pick<Clock, 'dateMs'>) {
    this.#clock = clock;
    this.#jobs = store.collection('uploads', UploadJob);
  }

  async list(): Promise<Entry<UploadJob>[]> {
    const entries = await this.#jobs.list();
    this.#last = Math.max(this.#last, Number(entries.at(-1)?.key ?? 0));
    return entries;
  }

  get(key: string): Promise<UploadJob | undefined> {
    return this.#jobs.get(key);
  }

  /** The key sorts after every other one, also if the clock was set back. */
  async add(job: UploadJob): Promise<string> {
    this.#last = Math.max(this.#last + 1, this.#clock.dateMs());
    const key = String(this.#last).padStart(16, '0');
    await this.#jobs.put(key, job);
    return key;
  }

  /** Undefined if it was removed since. */
  async change(key: string, change: Partial<UploadJob>): Promise<UploadJob | undefined> {
    const current = await this.#jobs.get(key);
    if (!current) return undefined;
    const next = { ...current, ...change };
    await this.#jobs.put(key, next);
    return next;
  }

  async delete(key: string): Promise<void> {
    await this.#jobs.delete(key);
  }
}
