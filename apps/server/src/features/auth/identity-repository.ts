import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Single } from '../../core/store/setting.ts';
import type { Collection, Store } from '../../core/store/store.ts';

const rememberedNetworks = 32;

const Password = z.object({ hash: z.string(), updatedAt: z.number() });
const ApiSecret = z.object({ secret: z.string(), updatedAt: z.number() });
const SessionSalt = z.object({ salt: z.string() });
const SetupCode = z.object({ code: z.string() });
const KnownNetwork = z.object({ lastAt: z.number() });
const EndedSession = z.object({ forgetAt: z.number() });

/** Stored credentials of the administrator. */
export class IdentityRepository {
  readonly #password: Single<z.output<typeof Password>>;
  readonly #apiSecret: Single<z.output<typeof ApiSecret>>;
  readonly #salt: Single<z.output<typeof SessionSalt>>;
  readonly #setupCode: Single<z.output<typeof SetupCode>>;
  readonly #known: Collection<z.output<typeof KnownNetwork>>;
  readonly #ended: Collection<z.output<typeof EndedSession>>;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#clock = clock;
    this.#password = store.single('password/admin', Password);
    this.#apiSecret = store.single('api-secret/admin', ApiSecret);
    this.#salt = store.single('session-salt/admin', SessionSalt);
    this.#setupCode = store.single('setup-code/admin', SetupCode);
    this.#known = store.collection('known-network', KnownNetwork);
    this.#ended = store.collection('ended-session', EndedSession);
  }

  async passwordHash(): Promise<string | undefined> {
    return (await this.#password.get())?.hash;
  }

  /** Says whether this was the first password; an existing one is left alone. */
  insertPassword(hash: string): Promise<boolean> {
    return this.#password.insert({ hash, updatedAt: this.#clock.dateMs() });
  }

  replacePassword(hash: string): Promise<void> {
    return this.#password.put({ hash, updatedAt: this.#clock.dateMs() });
  }

  /** Back to set-up. */
  async removePassword(): Promise<void> {
    await this.#password.delete();
  }

  /** Made by the first call: `srs-v2-` and 32 hexadecimal digits, the form clients know. */
  async apiSecret(): Promise<string> {
    return (await this.#apiSecret.first(() => this.#newApiSecret())).secret;
  }

  async replaceApiSecret(): Promise<string> {
    const fresh = this.#newApiSecret();
    await this.#apiSecret.put(fresh);
    return fresh.secret;
  }

  /** Part of the key that signs sessions. Replacing it ends every session. */
  async sessionSalt(): Promise<string> {
    return (await this.#salt.first(newSalt)).salt;
  }

  replaceSessionSalt(): Promise<void> {
    return this.#salt.put(newSalt());
  }

  async setupCode(): Promise<string> {
    return (await this.#setupCode.first(() => ({ code: randomBytes(10).toString('hex') }))).code;
  }

  async forgetSetupCode(): Promise<void> {
    await this.#setupCode.delete();
  }

  /** True if a sign-in from this network succeeded before. */
  async isKnown(network: string): Promise<boolean> {
    return (await this.#known.get(network)) !== undefined;
  }

  async remember(network: string): Promise<void> {
    await this.#known.put(network, { lastAt: this.#clock.dateMs() });
    const all = (await this.#known.list()).sort((a, b) => b.value.lastAt - a.value.lastAt);
    for (const { key } of all.slice(rememberedNetworks)) await this.#known.delete(key);
  }

  async isEnded(sessionId: string): Promise<boolean> {
    return (await this.#ended.get(sessionId)) !== undefined;
  }

  /** Remembers an ended session for as long as any of its tokens could still be valid. */
  async end(sessionId: string, forgetAt: number): Promise<void> {
    for (const { key, value } of await this.#ended.list()) {
      if (value.forgetAt < this.#clock.dateMs()) await this.#ended.delete(key);
    }
    await this.#ended.put(sessionId, { forgetAt });
  }

  #newApiSecret() {
    return { secret: `srs-v2-${randomBytes(16).toString('hex')}`, updatedAt: this.#clock.dateMs() };
  }
}

function newSalt() {
  return { salt: randomBytes(32).toString('base64url') };
}
