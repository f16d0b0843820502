import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { StreamKeyFields } from '@weir/contract';
import * as z from 'zod';
import type { Collection, Store } from '../../core/store/store.ts';

/** A stream key as stored: of its values only keyed hashes. */
const StoredKey = StreamKeyFields.extend({
  uuid: z.string(),
  createdAt: z.string(),
  rotatedAt: z.string().default(''),
  /** Kept for a while after it, so that refusals can name the key. Empty while it is not. */
  revokedAt: z.string().default(''),
  hash: z.string(),
  /** Hashes of values that were replaced, newest first. */
  replaced: z.array(z.string()).default([]),
});
export type StoredKey = z.output<typeof StoredKey>;

const Use = z.object({
  at: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  protocol: z.string(),
  address: z.string(),
});

/** A publisher with a stream key. */
const LiveUse = Use.extend({
  clientId: z.string(),
  /** Hash of the value that the publisher showed; a publisher with an earlier value must leave. */
  hash: z.string(),
});
export type LiveUse = z.output<typeof LiveUse>;

/** Last use of a key, stored apart from the key, which only its owner changes. */
const StoredUses = z.object({ last: Use.nullable(), live: z.array(LiveUse) });
type StoredUses = z.output<typeof StoredUses>;

const StoredSalt = z.object({ salt: z.string() });

/** Stream keys and their use, cached: unauthorised publishers must not cause reads of the store. */
export class StreamKeyRepository {
  readonly #store: Store;
  readonly #keys: Collection<StoredKey>;
  readonly #uses: Collection<StoredUses>;
  #known: Map<string, StoredKey> | undefined;
  #knownUses: Map<string, StoredUses> | undefined;
  #salt: Buffer | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#keys = store.collection('stream-keys', StoredKey);
    this.#uses = store.collection('stream-key-uses', StoredUses);
  }

  /** Reads what is not cached yet. The other methods need it. */
  async load(): Promise<void> {
    if (this.#known && this.#knownUses && this.#salt) return;
    const fresh = () => ({ salt: randomBytes(32).toString('hex') });
    const { salt } = await this.#store.single('stream-key-salt/salt', StoredSalt).first(fresh);
    const [keys, uses] = [await this.#keys.list(), await this.#uses.list()];
    this.#salt ??= Buffer.from(salt, 'hex');
    this.#known ??= new Map(keys.map(({ key, value }) => [key, value]));
    this.#knownUses ??= new Map(uses.map(({ key, value }) => [key, value]));
  }

  keys(): StoredKey[] {
    return [...(this.#known?.values() ?? [])];
  }

  get(uuid: string): StoredKey | undefined {
    return this.#known?.get(uuid);
  }

  usesOf(uuid: string): StoredUses {
    return this.#knownUses?.get(uuid) ?? { last: null, live: [] };
  }

  hashOf(value: string): string {
    return createHmac('sha256', this.#salt ?? '')
      .update(value)
      .digest('hex');
  }

  /** Compares with every value of every key, in constant time. */
  find(hash: string): { readonly key: StoredKey; readonly isPresent: boolean } | undefined {
    let found: { readonly key: StoredKey; readonly isPresent: boolean } | undefined;
    for (const key of this.keys()) {
      if (isSame(key.hash, hash)) found = { key, isPresent: true };
      for (const replaced of key.replaced) if (isSame(replaced, hash)) found ??= { key, isPresent: false };
    }
    return found;
  }

  async put(key: StoredKey): Promise<void> {
    await this.#keys.put(key.uuid, key);
    this.#known?.set(key.uuid, key);
  }

  async delete(uuid: string): Promise<void> {
    await this.#keys.delete(uuid);
    this.#known?.delete(uuid);
    await this.#uses.delete(uuid);
    this.#knownUses?.delete(uuid);
  }

  /** In memory at once, so that of two publishers at the same time the second one is counted with the first. */
  note(uuid: string, uses: StoredUses): void {
    this.#knownUses?.set(uuid, uses);
  }

  /** Writes what was noted. */
  async saveUses(uuid: string): Promise<void> {
    if (this.get(uuid)) await this.#uses.put(uuid, this.usesOf(uuid));
  }
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return one.length === other.length && timingSafeEqual(one, other);
}
