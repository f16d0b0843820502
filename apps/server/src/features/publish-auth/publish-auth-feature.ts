import { type PublishAuth, type PublishRefusal, publishAuthApi } from '@weir/contract';
import { type Log, LogRateLimiter, SecretRedactor } from '@weir/plane';
import { toNetwork } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { namesSecret, type Publish, showsSecret } from './publish-auth-rule.ts';
import { PublishSecretRepository } from './publish-secret-repository.ts';

interface PublishAuthServiceContext {
  readonly secrets: PublishSecretRepository;
  readonly events: Events;
  readonly log: Log;
  /** Some stream names have a secret of their own, which alone opens them. */
  readonly rooms: RoomSecrets;
  /** Keys of others that logs must not show. */
  readonly moreSecrets: () => Promise<readonly string[]>;
  /** Passes the secrets to the log's redactor. A failure is made up for at the next start. */
  readonly tellSecrets: (secrets: readonly string[]) => Promise<void>;
}

interface RoomSecrets {
  secretOf(stream: string): Promise<string | undefined>;
  secrets(): Promise<string[]>;
}

interface Attempt extends Publish {
  readonly vhost: string;
  readonly app: string;
  readonly ip: string;
  readonly protocol: string;
}

/** Refusals are unlimited; a few log lines of each network are enough. */
const refusalLines = { each: 5, all: 50, windowMs: 60_000 };

/** Decides who may publish. */
class PublishAuthService {
  readonly #secrets: PublishSecretRepository;
  readonly #events: Events;
  readonly #log: Log;
  readonly #refusals = new LogRateLimiter(refusalLines, {
    onQuiet: (more) => this.#log.warn({ more }, 'more publishers refused'),
  });
  readonly #rooms: RoomSecrets;
  readonly #moreSecrets: PublishAuthServiceContext['moreSecrets'];
  readonly #tellSecrets: PublishAuthServiceContext['tellSecrets'];

  constructor({ secrets, events, log, rooms, moreSecrets, tellSecrets }: PublishAuthServiceContext) {
    this.#secrets = secrets;
    this.#events = events;
    this.#log = log;
    this.#rooms = rooms;
    this.#moreSecrets = moreSecrets;
    this.#tellSecrets = tellSecrets;
  }

  async query(): Promise<PublishAuth> {
    return { publish: await this.#secrets.secret(), pubNoAuth: await this.#secrets.isNoAuth() };
  }

  async replaceSecret(secret: string): Promise<void> {
    await this.#secrets.replaceSecret(secret);
    await this.push().catch(() => undefined);
    this.#log.info('publish secret replaced');
  }

  /** For those who have just started. */
  async push(): Promise<void> {
    await this.#tellSecrets(await this.#all());
  }

  /** Secret that a publisher of this stream must present. */
  async secretFor(stream: string): Promise<string> {
    return (await this.#rooms.secretOf(stream)) ?? (await this.#secrets.secret());
  }

  async setNoAuth(noAuth: boolean): Promise<void> {
    await this.#secrets.setNoAuth(noAuth);
    this.#log.warn({ noAuth }, 'publish authentication changed');
  }

  /** Throws `publish_refused` unless the publisher shows the secret, or none is asked for. */
  async assertMayPublish(attempt: Attempt): Promise<void> {
    const secret = await this.secretFor(attempt.stream);
    const facts = { app: attempt.app, stream: await this.#hide(attempt.stream), ip: attempt.ip };
    if (showsSecret(attempt, secret)) {
      this.#log.debug(facts, 'publisher accepted');
    } else if (await this.#secrets.isNoAuth()) {
      this.#log.info(facts, 'publisher accepted without a secret');
    } else {
      const more = this.#refusals.pass(toNetwork(attempt.ip));
      if (more !== undefined) this.#log.warn({ ...facts, ...(more > 0 && { more }) }, 'publisher refused');
      this.#announce(attempt, facts.stream, namesSecret(attempt) ? 'secret-wrong' : 'secret-missing');
      throw new WeirError('publish_refused', 'the publish secret is missing or wrong');
    }
  }

  /** The engine turned somebody away by itself, for a reason of its own. */
  async refusedByEngine(attempt: Attempt, reason: PublishRefusal): Promise<void> {
    this.#announce(attempt, await this.#hide(attempt.stream), reason);
  }

  async #hide(stream: string): Promise<string> {
    return new SecretRedactor(await this.#all()).hide(stream);
  }

  async #all(): Promise<string[]> {
    return [await this.#secrets.secret(), ...(await this.#rooms.secrets()), ...(await this.#moreSecrets())];
  }

  #announce({ vhost, app, protocol, ip }: Attempt, stream: string, reason: PublishRefusal): void {
    this.#events.emit('publish:refused', { vhost, app, stream, protocol, address: ip, reason });
  }
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
  readonly moreSecrets: () => Promise<readonly string[]>;
}

/** Authorisation of publishers. */
export function publishAuthFeature(context: Context): Feature & { readonly service: PublishAuthService } {
  const { store, log, clock, events, hidden, mediaServer, rooms, moreSecrets } = context;
  const service = new PublishAuthService({
    secrets: new PublishSecretRepository(store, clock),
    events,
    rooms,
    moreSecrets,
    tellSecrets: (secrets) => {
      hidden.set(secrets);
      return mediaServer.applySettings({ hiddenTexts: [...secrets] });
    },
    log: log.child({ feature: 'publish-auth' }),
  });
  return {
    routes: (http) => {
      for (const endpoint of [publishAuthApi.query, publishAuthApi.queryShort]) {
        http.route(endpoint, () => service.query());
      }
      http.route(publishAuthApi.update, ({ secret }) => service.replaceSecret(secret));
      http.route(publishAuthApi.disable, ({ pubNoAuth }) => service.setNoAuth(pubNoAuth));
    },
    engineSettings: () => service.push(),
    service,
  };
}
