import type { StoreFault } from '@weir/contract';
import type * as z from 'zod';
import { SingleValues } from './setting.ts';
import type { Collection, Store } from './store.ts';

type Written = (collection: string) => void;

/** A store that tells when something in it was written, and where; never what. */
export class WatchedStore extends SingleValues implements Store {
  readonly #store: Store;
  readonly #listeners: Written[] = [];

  constructor(store: Store) {
    super();
    this.#store = store;
  }

  /** Called after each confirmed write. */
  onWrite(listener: Written): void {
    this.#listeners.push(listener);
  }

  collection<Schema extends z.ZodType>(name: string, schema: Schema): Collection<z.output<Schema>> {
    const inner = this.#store.collection(name, schema);
    const noted = async <Result>(written: Promise<Result>): Promise<Result> => {
      const result = await written;
      for (const listener of this.#listeners) listener(name);
      return result;
    };
    return {
      get: (key) => inner.get(key),
      list: () => inner.list(),
      put: (key, value) => noted(inner.put(key, value)),
      insert: (key, value) => noted(inner.insert(key, value)),
      update: (key, change) => noted(inner.update(key, change)),
      delete: (key) => noted(inner.delete(key)),
      apply: (changes) => noted(inner.apply(changes)),
    };
  }

  check(): Promise<void> {
    return this.#store.check();
  }

  async risks(): Promise<readonly StoreFault[]> {
    return (await this.#store.risks?.()) ?? [];
  }

  backup(file: string): Promise<void> {
    return this.#store.backup(file);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
