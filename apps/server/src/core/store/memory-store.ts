import type * as z from 'zod';
import { WeirError } from '../errors.ts';
import { SingleValues } from './setting.ts';
import { type Collection, filterReadable, parseStored, type Store } from './store.ts';

/** For tests of features: the same behaviour as the real store, kept in memory. */
export class MemoryStore extends SingleValues implements Store {
  readonly #collections = new Map<string, Map<string, string>>();
  /** Set to make every call fail, as a store on a broken disk does. */
  isBroken = false;

  collection<Schema extends z.ZodType>(name: string, schema: Schema): Collection<z.output<Schema>> {
    type T = z.output<Schema>;
    const entries = () => {
      this.#assertReady();
      const found = this.#collections.get(name) ?? new Map<string, string>();
      this.#collections.set(name, found);
      return found;
    };
    const read = (key: string): T | undefined => {
      const text = entries().get(key);
      return text === undefined ? undefined : parseStored(schema, `${name}/${key}`, text);
    };
    const write = (key: string, value: T) => entries().set(key, JSON.stringify(schema.parse(value)));
    return {
      get: async (key) => read(key),
      list: async () =>
        filterReadable(
          [...entries()].sort(([a], [b]) => (a < b ? -1 : 1)),
          ([key, text]) => ({ key, value: parseStored(schema, `${name}/${key}`, text) }),
        ),
      put: async (key, value) => void write(key, value),
      insert: async (key, value) => {
        if (entries().has(key)) return false;
        write(key, value);
        return true;
      },
      update: async (key, change) => {
        const value = change(read(key));
        write(key, value);
        return value;
      },
      delete: async (key) => entries().delete(key),
      apply: async (changes) => {
        const checked = changes.map(({ key, value }) => ({
          key,
          value: value === undefined ? value : schema.parse(value),
        }));
        for (const { key, value } of checked) {
          if (value === undefined) entries().delete(key);
          else write(key, value as T);
        }
      },
    };
  }

  async check(): Promise<void> {
    this.#assertReady();
  }

  async backup(): Promise<void> {
    throw new WeirError('store_unavailable', 'settings kept in memory have no backup');
  }

  async close(): Promise<void> {}

  #assertReady(): void {
    if (this.isBroken) throw new WeirError('store_unavailable', 'settings cannot be read or written right now');
  }
}
