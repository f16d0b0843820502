import { noBucket, RecordBucket } from '@weir/contract';
import * as z from 'zod';
import type { Single } from '../../../core/store/setting.ts';
import type { Collection, Store } from '../../../core/store/store.ts';

/** A recording the bucket has, or will never have. */
const Arrived = z.object({
  key: z.string(),
  bucket: z.string(),
  bytes: z.number(),
  tries: z.int(),
  /** 0: it is lost, and `error` says how. */
  doneAtMs: z.number(),
  error: z.string().default(''),
  /** The one on this server is still to be deleted. */
  isLocalToGo: z.boolean().default(false),
});
export type Arrived = z.output<typeof Arrived>;

/** Bucket of recordings, and which have arrived. */
export class BucketRepository {
  readonly #settings: Single<RecordBucket>;
  readonly #arrived: Collection<Arrived>;

  constructor(store: Store) {
    this.#settings = store.single('record-bucket/bucket', RecordBucket);
    this.#arrived = store.collection('record-uploads', Arrived);
  }

  async read(): Promise<RecordBucket> {
    return (await this.#settings.get()) ?? noBucket;
  }

  async change(change: (current: RecordBucket) => RecordBucket): Promise<RecordBucket> {
    return this.#settings.update((current) => change(current ?? noBucket));
  }

  async arrived(): Promise<Map<string, Arrived>> {
    return new Map((await this.#arrived.list()).map(({ key, value }) => [key, value]));
  }

  note(uuid: string, arrived: Arrived): Promise<void> {
    return this.#arrived.put(uuid, arrived);
  }

  async forget(uuid: string): Promise<void> {
    await this.#arrived.delete(uuid);
  }
}
