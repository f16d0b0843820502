import type * as z from 'zod';
import type { Collection } from './store.ts';

/** Value that may not exist yet. Confirmed writes survive a power cut, as in a collection. */
export interface Single<T> {
  get(): Promise<T | undefined>;
  put(value: T): Promise<void>;
  /** Writes only if there is none; says whether it did. Of two callers at once, one wins. */
  insert(value: T): Promise<boolean>;
  /** Reads, changes and writes as one step. `change` must not wait for anything. */
  update(change: (current: T | undefined) => T): Promise<T>;
  /** Returns the value; creates it on first use. */
  first(make: () => T): Promise<T>;
  delete(): Promise<boolean>;
}

/** Value with a default for each field, so that it can always be read. */
export interface Setting<T> {
  read(): Promise<T>;
  put(value: T): Promise<void>;
  /** Reads, changes and writes as one step. `change` must not wait for anything. */
  update(change: (current: T) => T): Promise<T>;
}

/** Single values on top of a store's collections. */
export abstract class SingleValues {
  abstract collection<Schema extends z.ZodType>(name: string, schema: Schema): Collection<z.output<Schema>>;

  single<Schema extends z.ZodType>(name: string, schema: Schema): Single<z.output<Schema>> {
    const [collection, key] = placeOf(name);
    return singleOf(this.collection(collection, schema), key);
  }

  setting<Schema extends z.ZodType>(name: string, schema: Schema): Setting<z.output<Schema>> {
    const [collection, key] = placeOf(name);
    return settingOf(this.collection(collection, schema), key, schema);
  }
}

function singleOf<T>(values: Collection<T>, key: string): Single<T> {
  return {
    get: () => values.get(key),
    put: (value) => values.put(key, value),
    insert: (value) => values.insert(key, value),
    update: (change) => values.update(key, change),
    first: async (make) => (await values.get(key)) ?? values.update(key, (current) => current ?? make()),
    delete: () => values.delete(key),
  };
}

/** Throws at once where the schema lacks a default. */
function settingOf<Schema extends z.ZodType>(
  values: Collection<z.output<Schema>>,
  key: string,
  schema: Schema,
): Setting<z.output<Schema>> {
  const defaults = () => schema.parse({});
  defaults();
  return {
    read: async () => (await values.get(key)) ?? defaults(),
    put: (value) => values.put(key, value),
    update: (change) => values.update(key, (current) => change(current ?? defaults())),
  };
}

/** `contact/links`: the collection and the key in it. */
function placeOf(name: string): [collection: string, key: string] {
  const [collection = '', key] = name.split(/\/(.*)/s);
  if (key === undefined) throw new Error(`${name} names no key`);
  return [collection, key];
}
