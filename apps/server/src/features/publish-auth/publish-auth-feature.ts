import { randomBytes } from 'node:crypto';
import { type PublishAuth, type PublishRefusal, publishAuthApi, streamKeysApi } from '@weir/contract';
import { type Log, LogRateLimiter, SecretRedactor } from '@weir/plane';
import { toNetwork } from '@weir/streams';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import type { Setting, Single } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { Timeline } from '../../timeline-store/timeline.ts';
import { type Attempt, decidePublish } from './publish-decision.ts';
import { type StoredKey, StreamKeyRepository } from './stream-key-repository.ts';
import { type Client, StreamKeys } from './stream-keys.ts';

interface PublishAuthServiceContext {
  readonly secrets: PublishSecretRepository;
  readonly keys: StreamKeys;
  readonly clock: Pick<Clock, 'dateMs'>;
  readonly events: Events;
  readonly log: Log;
  /** Some stream names have a secret of their own, which alone opens them. */
  readonly rooms: RoomSecrets;
  /** All known secrets, for redaction. */
  readonly allSecrets: () => Promise<readonly string[]>;
  /** Passes the secrets to the log's redactor. A failure is made up for at the next start. */
  readonly tellSecrets: (secrets: readonly string[]) => Promise<void>;
}

interface RoomSecrets {
  secretOf(stream: string): Promise<string | undefined>;
  secrets(): Promise<string[]>;
}

type Publisher = Attempt & Client;

/** Refusals are unlimited; a few log lines of each network are enough. */
const refusalLines = { each: 5, all: 50, windowMs: 60_000 };

/** Decides who may publish. */
class PublishAuthService {
  readonly #context: PublishAuthServiceContext;
  readonly #secrets: PublishSecretRepository;
  readonly #log: Log;
  readonly #refusals = new LogRateLimiter(refusalLines, {
    onQuiet: (more) => this.#log.warn({ more }, 'more publishers refused'),
  });

  constructor(context: PublishAuthServiceContext) {
    this.#context = context;
    this.#secrets = context.secrets;
    this.#log = context.log;
  }

  async query(): Promise<PublishAuth> {
    return { publish: await this.#secrets.secret(), pubNoAuth: await this.#secrets.isNoAuth() };
  }

  async replaceSecret(secret: string): Promise<void> {
    await this.#context.keys.load();
    if (this.#context.keys.find(secret)) {
      throw new WeirError('invalid_input', 'secret: is or was the value of a stream key, choose a new one');
    }
    await this.#secrets.replaceSecret(secret);
    await this.push().catch(() => undefined);
    this.#log.info('publish secret replaced');
  }

  /** Sends all secrets to an engine that has just started. */
  async push(): Promise<void> {
    await this.#context.tellSecrets(await this.#context.allSecrets());
  }

  /** Secret that this server's own processes publish the stream with. */
  async secretFor(stream: string): Promise<string> {
    return (await this.#context.rooms.secretOf(stream)) ?? (await this.#secrets.secret());
  }

  async setNoAuth(noAuth: boolean): Promise<void> {
    await this.#secrets.setNoAuth(noAuth);
    this.#log.warn({ noAuth }, 'publish authentication changed');
  }

  /** Throws `publish_refused` unless the publisher may publish. One with a stream key counts as its user until it left. */
  async assertMayPublish(attempt: Publisher): Promise<void> {
    const { keys, rooms, clock } = this.#context;
    await keys.load();
    const own = await rooms.secretOf(attempt.stream);
    const [secret, isOpen] = [await this.#secrets.secret(), await this.#secrets.isNoAuth()];
    const stream = await this.#hide(attempt.stream);
    const facts = { app: attempt.app, stream, ip: attempt.ip };
    // Awaiting anything between decision and count would let two publishers take the last place.
    const decision = decidePublish(attempt, {
      secret,
      own,
      isOpen,
      findKey: (value) => keys.find(value),
      placesOf: (key) => keys.placesOf(key),
      nowMs: clock.dateMs(),
    });
    if (!decision.isAllowed) {
      const { reason, key } = decision;
      const more = this.#refusals.pass(toNetwork(attempt.ip));
      const named = { ...facts, reason, ...(key && { keyName: key.name }) };
      if (more !== undefined) this.#log.warn({ ...named, ...(more > 0 && { more }) }, 'publisher refused');
      this.#announce(attempt, stream, reason, key);
      // The publisher does not learn whether it was missing or wrong; the owner does.
      throw new WeirError('publish_refused', 'the publish secret is missing or wrong');
    }
    if (decision.key) keys.take(decision.key, attempt);
    if (decision.isWithoutSecret) this.#log.info(facts, 'publisher accepted without a secret');
    else this.#log.debug({ ...facts, ...(decision.key && { keyName: decision.key.name }) }, 'publisher accepted');
  }

  /** The engine refused a publisher for a reason of its own. */
  async refusedByEngine(attempt: Publisher, reason: PublishRefusal): Promise<void> {
    this.#announce(attempt, await this.#hide(attempt.stream), reason);
  }

  async #hide(stream: string): Promise<string> {
    return new SecretRedactor([...(await this.#context.allSecrets())]).hide(stream);
  }

  #announce(attempt: Publisher, stream: string, reason: PublishRefusal, key?: StoredKey): void {
    const { vhost, app, protocol, ip: address } = attempt;
    const named = key && { key: key.name, keyEndedAt: endOf(key, reason) };
    this.#context.events.emit('publish:refused', { vhost, app, stream, protocol, address, reason, ...named });
  }
}

function endOf(key: StoredKey, reason: PublishRefusal): string {
  if (reason === 'key-expired') return key.expiresAt;
  if (reason === 'key-revoked') return key.revokedAt;
  return reason === 'key-replaced' ? key.rotatedAt : '';
}

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly events: Events;
  /** Redactor of this plane's log. */
  readonly hidden: SecretRedactor;
  readonly mediaServer: MediaServer;
  readonly rooms: RoomSecrets;
  /** Keys of others that logs must not show. */
  readonly moreSecrets: () => Promise<readonly string[]>;
  readonly timeline: Pick<Timeline, 'note'>;
}

/** Authorisation of publishers. */
export function publishAuthFeature(context: Context) {
  const { store, clock, events, hidden, mediaServer, rooms, moreSecrets, timeline } = context;
  const log = context.log.child({ feature: 'publish-auth' });
  const secrets = new PublishSecretRepository(store, clock);
  const allSecrets = async () => [await secrets.secret(), ...(await rooms.secrets()), ...(await moreSecrets())];
  const keys = new StreamKeys({
    keys: new StreamKeyRepository(store),
    otherSecrets: allSecrets,
    mediaServer,
    rooms,
    timeline,
    clock,
    log,
  });
  const service = new PublishAuthService({
    secrets,
    keys,
    clock,
    events,
    rooms,
    allSecrets,
    tellSecrets: (all) => {
      hidden.set(all);
      return mediaServer.applySettings({ hiddenTexts: [...all] });
    },
    log,
  });
  const feature: Feature = {
    routes: (http) => {
      for (const endpoint of [publishAuthApi.query, publishAuthApi.queryShort]) {
        http.route(endpoint, () => service.query());
      }
      http.route(publishAuthApi.update, ({ secret }) => service.replaceSecret(secret));
      http.route(publishAuthApi.disable, ({ pubNoAuth }) => service.setNoAuth(pubNoAuth));
      http.route(streamKeysApi.query, async () => ({ keys: await keys.list() }));
      http.route(streamKeysApi.create, (key) => keys.create(key));
      http.route(streamKeysApi.update, (change) => keys.update(change));
      http.route(streamKeysApi.rotate, (which) => keys.rotate(which));
      http.route(streamKeysApi.revoke, ({ uuid }) => keys.revoke(uuid));
    },
    tasks: { 'stream-keys': (signal) => keys.run(signal) },
    engineSettings: () => service.push(),
  };
  return { ...feature, service, keys };
}

const StoredSecret = z.object({ secret: z.string(), updatedAt: z.number() });
const StoredMode = z.object({ noAuth: z.boolean().default(false) });

/** The publish secret and whether it is asked for, as stored. */
class PublishSecretRepository {
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
