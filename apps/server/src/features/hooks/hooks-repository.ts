import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Collection, Store } from '../../core/store/store.ts';

const only = 'hooks';

const HooksSettings = z.object({
  target: z.string().default(''),
  opaque: z.string().default(''),
  all: z.boolean().default(false),
  host: z.string().default(''),
  verifyTls: z.boolean().default(true),
  ownNetwork: z.boolean().default(false),
});
export type HooksSettings = z.output<typeof HooksSettings>;

const SigningSecret = z.object({ secret: z.string(), updatedAt: z.number() });

/** Where events go and how they are signed, as stored. */
export class HooksRepository {
  readonly #settings: Collection<HooksSettings>;
  readonly #secret: Collection<z.output<typeof SigningSecret>>;

  constructor(store: Store) {
    this.#settings = store.collection('hooks', HooksSettings);
    this.#secret = store.collection('hooks-secret', SigningSecret);
  }

  async settings(): Promise<HooksSettings> {
    return (await this.#settings.get(only)) ?? HooksSettings.parse({});
  }

  async save(settings: HooksSettings): Promise<void> {
    await this.#settings.put(only, settings);
  }

  /** Made by the first call. */
  async secret(): Promise<string> {
    const stored = (await this.#secret.get(only)) ?? (await this.#secret.update(only, (value) => value ?? fresh()));
    return stored.secret;
  }

  async rotateSecret(): Promise<string> {
    const { secret } = await this.#secret.update(only, fresh);
    return secret;
  }
}

function fresh() {
  return { secret: randomBytes(32).toString('hex'), updatedAt: Date.now() };
}
