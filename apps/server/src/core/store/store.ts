import type { StoreFault } from '@weir/contract';
import type * as z from 'zod';
import { WeirError } from '../errors.ts';
import type { Setting, Single } from './setting.ts';

export interface Entry<T> {
  readonly key: string;
  readonly value: T;
}

/** Named values of one kind. What `put`, `insert`, `update`, `delete` and `apply` confirm survives a power cut. */
export interface Collection<T> {
  get(key: string): Promise<T | undefined>;
  /** All entries that can be read, ordered by key: one that was spoilt from outside hides no other. */
  list(): Promise<Entry<T>[]>;
  put(key: string, value: T): Promise<void>;
  /** Writes only if the key is free; says whether it did. Of two callers at once, one wins. */
  insert(key: string, value: T): Promise<boolean>;
  /** Reads, changes and writes as one step. `change` must not wait for anything. */
  update(key: string, change: (current: T | undefined) => T): Promise<T>;
  delete(key: string): Promise<boolean>;
  /** Several as one step: all of it survives a power cut, or none. Without a value: removed. */
  apply(changes: readonly Change<T>[]): Promise<void>;
}

interface Change<T> {
  readonly key: string;
  readonly value?: T | undefined;
}

/** An entry of any collection, as its text: what is copied from one store to another. */
export interface StoredRow {
  readonly collection: string;
  readonly key: string;
  readonly value: string;
}

/** Names a row among those of all collections. */
export function placeOf({ collection, key }: Pick<StoredRow, 'collection' | 'key'>): string {
  return `${collection}\n${key}`;
}

/**
 * The settings of this server. Any method of it or of its collections may fail with `store_unavailable`: an expected
 * error, answered as such, after which the next call tries again.
 */
export interface Store {
  collection<Schema extends z.ZodType>(name: string, schema: Schema): Collection<z.output<Schema>>;
  /** Single value by collection and key: `contact/links`. */
  single<Schema extends z.ZodType>(name: string, schema: Schema): Single<z.output<Schema>>;
  /** The same for a schema that has a default for every field. */
  setting<Schema extends z.ZodType>(name: string, schema: Schema): Setting<z.output<Schema>>;
  /** Throws `store_unavailable` unless settings can be read now. */
  check(): Promise<void>;
  /** Durability guarantees that an external database lacks; absent where writes are always durable. */
  risks?(): Promise<readonly StoreFault[]>;
  /** Writes a whole, consistent copy to a file while work goes on. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Parses a stored text. Defaults of the schema fill what an older version lacked; bad data is named, not passed on. */
export function parseStored<Schema extends z.ZodType>(schema: Schema, place: string, text: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new WeirError('internal', `the stored value ${place} cannot be read`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new WeirError('internal', `the stored value ${place} is not valid`, { cause: parsed.error });
  }
  return parsed.data;
}

/** Readable rows of a list. */
export function filterReadable<Row, T>(
  rows: readonly Row[],
  read: (row: Row) => T,
  onOther?: (error: unknown) => void,
): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      onOther?.(error);
      return [];
    }
  });
}
