import { authApi, limits, type Session, sessions } from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import { toNetwork } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Caller } from '../../core/http/call.ts';
import type { Authoriser, Credential } from '../../core/http/http-app.ts';
import { type GuessingAlert, GuessLimiter } from '../../core/passwords/guess-limiter.ts';
import { HashingOverload, HashingQueue } from '../../core/passwords/hashing-queue.ts';
import { type HashCost, hashPassword, verifyPassword } from '../../core/passwords/password.ts';
import { tooManyTries } from '../../core/passwords/too-many-tries.ts';
import { sameText } from '../../core/same-text.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import { IdentityRepository } from './identity-repository.ts';
import { issueToken, type KeyParts, keyFor, newSessionId } from './session-tokens.ts';
import { VerifiedTokens } from './verified-tokens.ts';

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly config: Pick<Config, 'initialPassword' | 'apiSecret'>;
  readonly hashCost: HashCost | undefined;
}

/** Authentication of the administrator and of scripts with the API secret. */
export function authFeature(context: Context): Feature & { readonly service: AuthService } {
  const { store, log, clock, config, hashCost } = context;
  const service = new AuthService({
    identity: new IdentityRepository(store, clock),
    log: log.child({ feature: 'auth' }),
    clock,
    initialPassword: config.initialPassword,
    fixedApiSecret: config.apiSecret,
    hashCost,
  });
  return { routes: authRoutes(service), service };
}

function authRoutes(auth: AuthService): Feature['routes'] {
  return (http) => {
    // This path both queries and sets: without a password it answers like `authApi.initState`.
    http.route(authApi.init, async ({ password, code }, { isLocal, address }) =>
      password === '' ? { init: await auth.isInitialised() } : auth.setUp(password, { code, isLocal, address }),
    );
    http.route(authApi.login, ({ password }, { address }) => auth.signIn(password, address));
    http.route(authApi.token, async (_body, { caller }) => {
      const { token, createAt, expireAt } = await auth.refresh(caller);
      return { token, createAt, expireAt };
    });
    http.route(authApi.logout, ({ all }, { caller }) => (all ? auth.signOutEverywhere() : auth.signOut(caller)));
    http.route(authApi.changePassword, ({ password, newPassword }, { address }) =>
      auth.changePassword(password, newPassword, address),
    );
    http.route(authApi.apiSecret, () => auth.apiSecret());
    http.route(authApi.rotateApiSecret, () => auth.rotateApiSecret());
  };
}

interface AuthServiceContext {
  readonly identity: IdentityRepository;
  readonly log: Log;
  readonly clock: Clock;
  /** Password of a server that has none yet; empty = ask at set-up. */
  readonly initialPassword: string;
  /** API secret fixed from outside; empty = our own. */
  readonly fixedApiSecret: string;
  readonly limiter?: GuessLimiter;
  /** Cost of hashing; tests lower it. */
  readonly hashCost: HashCost | undefined;
}

/** The single administrator: password, sessions, and the API secret for scripts. */
class AuthService implements Authoriser {
  readonly #identity: IdentityRepository;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #initialPassword: string;
  readonly #fixedApiSecret: string;
  readonly #limiter: GuessLimiter;
  readonly #hashCost: HashCost | undefined;
  readonly #tokens = new VerifiedTokens();
  /** Leaves a core free for other work while passwords are hashed. */
  readonly #hashing = new HashingQueue({ width: 1, longest: 32 });

  constructor(context: AuthServiceContext) {
    this.#identity = context.identity;
    this.#log = context.log;
    this.#clock = context.clock;
    this.#initialPassword = context.initialPassword;
    this.#fixedApiSecret = context.fixedApiSecret;
    this.#limiter = context.limiter ?? new GuessLimiter(context.clock);
    this.#hashCost = context.hashCost;
  }

  async isInitialised(): Promise<boolean> {
    return (await this.#passwordHash()) !== undefined;
  }

  /** Setup code for another machine, the same at every start until the server is set up. */
  async setupCode(): Promise<string | undefined> {
    return (await this.isInitialised()) ? undefined : this.#identity.setupCode();
  }

  /** Sets the first password. Of two callers at once one wins; the other is told, and nothing of it stays. */
  async setUp(
    password: string,
    from: { code: string; isLocal: () => Promise<boolean>; address: string },
  ): Promise<Session> {
    const alreadyDone = () => new WeirError('invalid_input', 'the server is already set up, sign in instead');
    if (await this.isInitialised()) throw alreadyDone();
    // A code that is given must be right; only a program on this machine needs none.
    const isProved =
      from.code === '' ? await this.#inTurn(from.isLocal) : sameText(from.code, await this.#identity.setupCode());
    if (!isProved) {
      throw new WeirError('wrong_setup_code', 'setup needs the code from the setup URL in the server log');
    }
    const hash = await hashPassword(password, this.#hashCost);
    if (!(await this.#identity.insertPassword(hash))) throw alreadyDone();
    await this.#identity.forgetSetupCode();
    await this.#identity.remember(toNetwork(from.address));
    this.#log.info('administrator password set');
    return this.#newSession();
  }

  async signIn(password: string, address: string): Promise<Session> {
    const stored = await this.#passwordHash();
    if (stored === undefined) throw new WeirError('not_initialised', 'no password is set yet, set up the server first');
    await this.#checkPassword(password, stored, { address, isKnown: await this.#identity.isKnown(toNetwork(address)) });
    this.#log.info({ address }, 'signed in');
    return this.#newSession();
  }

  /** A fresh token: of the same session for a browser, of a new one for a script. */
  async refresh(caller: Caller | undefined): Promise<Session> {
    const sessionId = caller?.kind === 'session' ? caller.sessionId : newSessionId();
    return issueToken(await this.#keyParts(), sessionId, this.#clock.dateMs());
  }

  async signOut(caller: Caller | undefined): Promise<void> {
    if (caller?.kind !== 'session') return;
    await this.#identity.end(caller.sessionId, this.#clock.dateMs() + sessions.lifeMs);
    this.#log.info('signed out');
  }

  async signOutEverywhere(): Promise<void> {
    await this.#identity.replaceSessionSalt();
    this.#log.info('all sessions ended');
  }

  async changePassword(current: string, next: string, address: string): Promise<Session> {
    const stored = await this.#passwordHash();
    if (stored === undefined) throw new WeirError('not_initialised', 'no password is set yet, set up the server first');
    // A signed-in user is exempt from the limits for strangers.
    await this.#checkPassword(current, stored, { address, isKnown: true });
    // Sessions end first: if the second write is lost, the old password still stands and nobody is signed in by it.
    await this.#identity.replaceSessionSalt();
    await this.#identity.replacePassword(await hashPassword(next, this.#hashCost));
    this.#log.info({ address }, 'administrator password changed');
    return this.#newSession();
  }

  async apiSecret(): Promise<string> {
    return this.#fixedApiSecret || this.#identity.apiSecret();
  }

  async rotateApiSecret(): Promise<Session & { secret: string }> {
    if (this.#fixedApiSecret !== '') {
      throw new WeirError('invalid_input', 'the API secret is set by SRS_PLATFORM_SECRET, change it there');
    }
    const secret = await this.#identity.replaceApiSecret();
    this.#log.info('API secret replaced');
    return { ...(await this.#newSession()), secret };
  }

  async authorise({ authorization, token, orSetupCode = false }: Credential): Promise<Caller> {
    if (authorization !== undefined) {
      const bearer = /^bearer ([^ ]+)$/i.exec(authorization)?.[1];
      if (bearer === undefined)
        throw new WeirError('token', 'the Authorization header must be: Bearer <token or API secret>');
      const apiSecret = await this.apiSecret();
      if (sameText(bearer, apiSecret)) return { kind: 'script' };
      if (orSetupCode && !(await this.isInitialised())) {
        if (sameText(bearer, await this.#identity.setupCode())) return { kind: 'setup' };
        throw new WeirError('wrong_setup_code', 'setup needs the code from the setup URL in the server log');
      }
      return this.#callerOf(bearer, apiSecret);
    }
    if (token === undefined) throw new WeirError('token', 'this call needs authentication, sign in first');
    return this.#callerOf(token, await this.apiSecret());
  }

  /** A key for something else that must be worthless once every session is ended. */
  async keyFor(purpose: string): Promise<Uint8Array> {
    return keyFor(await this.#keyParts(), purpose);
  }

  guessingAlert(): GuessingAlert | undefined {
    return this.#limiter.alert();
  }

  async #passwordHash(): Promise<string | undefined> {
    const stored = await this.#identity.passwordHash();
    if (stored !== undefined || this.#initialPassword === '') return stored;
    const isFirst = await this.#identity.insertPassword(await hashPassword(this.#initialPassword, this.#hashCost));
    if (isFirst && this.#initialPassword.length < limits.passwordLeast) {
      this.#log.warn(`MGMT_PASSWORD is shorter than ${limits.passwordLeast} characters: change it in the console`);
    }
    return this.#identity.passwordHash();
  }

  async #checkPassword(
    password: string,
    stored: string,
    { address, isKnown }: { address: string; isKnown: boolean },
  ): Promise<void> {
    const waitMs = this.#limiter.take(address, { isKnown });
    if (waitMs !== undefined) {
      this.#limiter.recordWrong();
      throw tooManyTries(waitMs);
    }
    const isRight = await this.#inTurn(() => verifyPassword(password, stored), isKnown);
    if (isRight) {
      this.#limiter.forgive(address, { isKnown });
      await this.#identity.remember(toNetwork(address));
      return;
    }
    this.#limiter.recordWrong();
    this.#log.warn({ address }, 'wrong password');
    throw new WeirError('wrong_password', 'incorrect password');
  }

  /** Queues hashing, which anyone can cause and which is expensive. */
  async #inTurn(job: () => Promise<boolean>, isKnown = false): Promise<boolean> {
    try {
      return await this.#hashing.run(job, { isKnown });
    } catch (error) {
      throw error instanceof HashingOverload ? tooManyTries(1000) : error;
    }
  }

  async #callerOf(token: string, apiSecret: string): Promise<Caller> {
    const parts = { apiSecret, salt: await this.#identity.sessionSalt() };
    const sessionId = await this.#tokens.sessionOf(parts, token, this.#clock.dateMs());
    if (await this.#identity.isEnded(sessionId)) throw new WeirError('token', 'this session has ended, sign in again');
    return { kind: 'session', sessionId };
  }

  async #newSession(): Promise<Session> {
    return issueToken(await this.#keyParts(), newSessionId(), this.#clock.dateMs());
  }

  async #keyParts(): Promise<KeyParts> {
    return { apiSecret: await this.apiSecret(), salt: await this.#identity.sessionSalt() };
  }
}
