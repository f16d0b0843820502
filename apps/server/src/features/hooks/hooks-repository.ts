import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Setting, Single } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

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

/** Stored receiver and signing key. */
export class HooksRepository {
  readonly #settings: Setting<HooksSettings>;
  readonly #secret: Single<z.output<typeof SigningSecret>>;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#clock = clock;
    this.#settings = store.setting('hooks/hooks', HooksSettings);
    this.#secret = store.single('hooks-secret/hooks', SigningSecret);
  }

  settings(): Promise<HooksSettings> {
    return this.#settings.read();
  }

  save(settings: HooksSettings): Promise<void> {
    return this.#settings.put(settings);
  }

  /** Made by the first call. */
  async secret(): Promise<string> {
    return (await this.#secret.first(() => this.#fresh())).secret;
  }

  async rotateSecret(): Promise<string> {
    const { secret } = await this.#secret.update(() => this.#fresh());
    return secret;
  }

  #fresh() {
    return { secret: randomBytes(32).toString('hex'), updatedAt: this.#clock.dateMs() };
  }
}
