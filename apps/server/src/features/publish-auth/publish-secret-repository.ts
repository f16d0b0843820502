import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Setting, Single } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

const StoredSecret = z.object({ secret: z.string(), updatedAt: z.number() });
const StoredMode = z.object({ noAuth: z.boolean().default(false) });

/** The publish secret and whether it is asked for, as stored. */
export class PublishSecretRepository {
  readonly #secret: Single<z.output<typeof StoredSecret>>;
  readonly #mode: Setting<z.output<typeof StoredMode>>;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#clock = clock;
    this.#secret = store.single('publish-secret/publish', StoredSecret);
    this.#mode = store.setting('publish-mode/publish', StoredMode);
  }

  /** Made by the first call: 32 hexadecimal digits. */
  async secret(): Promise<string> {
    const fresh = () => ({ secret: randomBytes(16).toString('hex'), updatedAt: this.#clock.dateMs() });
    return (await this.#secret.first(fresh)).secret;
  }

  replaceSecret(secret: string): Promise<void> {
    return this.#secret.put({ secret, updatedAt: this.#clock.dateMs() });
  }

  async isNoAuth(): Promise<boolean> {
    return (await this.#mode.read()).noAuth;
  }

  setNoAuth(noAuth: boolean): Promise<void> {
    return this.#mode.put({ noAuth });
  }
}
