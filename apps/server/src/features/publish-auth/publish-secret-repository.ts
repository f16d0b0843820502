import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Collection, Store } from '../../core/store/store.ts';

const only = 'publish';

const StoredSecret = z.object({ secret: z.string(), updatedAt: z.number() });
const StoredMode = z.object({ noAuth: z.boolean() });

/** The publish secret and whether it is asked for, as stored. */
export class PublishSecretRepository {
  readonly #secret: Collection<z.output<typeof StoredSecret>>;
  readonly #mode: Collection<z.output<typeof StoredMode>>;

  constructor(store: Store) {
    this.#secret = store.collection('publish-secret', StoredSecret);
    this.#mode = store.collection('publish-mode', StoredMode);
  }

  /** Made by the first call: 32 hexadecimal digits. */
  async secret(): Promise<string> {
    const stored = await this.#secret.get(only);
    if (stored) return stored.secret;
    const fresh = () => ({ secret: randomBytes(16).toString('hex'), updatedAt: Date.now() });
    return (await this.#secret.update(only, (current) => current ?? fresh())).secret;
  }

  replaceSecret(secret: string): Promise<void> {
    return this.#secret.put(only, { secret, updatedAt: Date.now() });
  }

  async isNoAuth(): Promise<boolean> {
    return (await this.#mode.get(only))?.noAuth ?? false;
  }

  setNoAuth(noAuth: boolean): Promise<void> {
    return this.#mode.put(only, { noAuth });
  }
}
