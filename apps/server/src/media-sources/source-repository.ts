import { SourceProbe, sourceLimits, sourceTypes } from '@weir/contract';
import * as z from 'zod';
import { WeirError } from '../core/errors.ts';
import type { Collection, Store } from '../core/store/store.ts';

/**
 * Record of a source, written before its files: every file we make has a record, so a file without one is not ours to
 * remove. `receiving`: its bytes are arriving. `prepared`: complete and not used yet. `accepted`: probed, and kept
 * until its owner deletes it.
 */
export const SourceRecord = z.object({
  uuid: z.uuid(),
  type: z.enum(sourceTypes),
  state: z.enum(['receiving', 'prepared', 'accepted']),
  name: z.string(),
  /** Input as typed: the path on the server, or the address of the page or stream. */
  path: z.string().default(''),
  /** In bytes; of an upload that is expected. 0 for streams. */
  size: z.number().default(0),
  /** With its dot; empty for streams. */
  extension: z.string().default(''),
  created: z.iso.datetime(),
  probe: SourceProbe.nullable().default(null),
});
export type SourceRecord = z.infer<typeof SourceRecord>;

export class SourceRepository {
  readonly #records: Collection<SourceRecord>;

  constructor(store: Store) {
    this.#records = store.collection('source', SourceRecord);
  }

  get(uuid: string): Promise<SourceRecord | undefined> {
    return this.#records.get(uuid);
  }

  async list(): Promise<SourceRecord[]> {
    return (await this.#records.list()).map(({ value }) => value);
  }

  async add(record: SourceRecord): Promise<void> {
    if ((await this.#records.list()).length >= sourceLimits.kept) {
      throw new WeirError('unavailable', 'too many sources, delete some from the library first');
    }
    await this.#records.put(record.uuid, record);
  }

  /** Updates only existing entries: a removed one stays removed. */
  async change(uuid: string, fields: Partial<SourceRecord>): Promise<SourceRecord> {
    const current = await this.#records.get(uuid);
    if (!current) throw new WeirError('not_found', 'this source no longer exists');
    const changed = { ...current, ...fields };
    await this.#records.put(uuid, changed);
    return changed;
  }

  delete(uuid: string): Promise<boolean> {
    return this.#records.delete(uuid);
  }
}
