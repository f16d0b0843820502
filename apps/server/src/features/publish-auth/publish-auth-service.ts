import type { PublishAuth, PublishRefusal } from '@weir/contract';
import type { Log } from '@weir/plane';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import { namesSecret, type Publish, showsSecret } from './publish-auth-rule.ts';
import type { PublishSecretRepository } from './publish-secret-repository.ts';

interface Needs {
  readonly secrets: PublishSecretRepository;
  readonly events: Events;
  readonly log: Log;
}

interface Attempt extends Publish {
  readonly vhost: string;
  readonly app: string;
  readonly ip: string;
  readonly protocol: string;
}

/** Decides who may publish. */
export class PublishAuthService {
  readonly #secrets: PublishSecretRepository;
  readonly #events: Events;
  readonly #log: Log;

  constructor({ secrets, events, log }: Needs) {
    this.#secrets = secrets;
    this.#events = events;
    this.#log = log;
  }

  async query(): Promise<PublishAuth> {
    return { publish: await this.#secrets.secret(), pubNoAuth: await this.#secrets.isNoAuth() };
  }

  async replaceSecret(secret: string): Promise<void> {
    await this.#secrets.replaceSecret(secret);
    this.#log.info('publish secret replaced');
  }

  async setNoAuth(noAuth: boolean): Promise<void> {
    await this.#secrets.setNoAuth(noAuth);
    this.#log.warn({ noAuth }, 'publishing without a secret was switched');
  }

  /** Throws `publish_refused` unless the publisher shows the secret, or none is asked for. */
  async assertMayPublish(attempt: Attempt): Promise<void> {
    const secret = await this.#secrets.secret();
    const facts = { app: attempt.app, stream: withoutSecret(attempt.stream, secret), ip: attempt.ip };
    if (showsSecret(attempt, secret)) {
      this.#log.debug(facts, 'publisher accepted');
    } else if (await this.#secrets.isNoAuth()) {
      this.#log.info(facts, 'publisher accepted without a secret');
    } else {
      this.#log.warn(facts, 'publisher refused');
      this.#announce(attempt, facts.stream, namesSecret(attempt) ? 'secret-wrong' : 'secret-missing');
      throw new WeirError('publish_refused', 'the publish secret is missing or wrong');
    }
  }
  /** The engine turned somebody away by itself, for a reason of its own. */
  async refusedByEngine(attempt: Attempt, reason: PublishRefusal): Promise<void> {
    this.#announce(attempt, withoutSecret(attempt.stream, await this.#secrets.secret()), reason);
  }

  #announce({ vhost, app, protocol, ip }: Attempt, stream: string, reason: PublishRefusal): void {
    this.#events.emit('publish:refused', { vhost, app, stream, protocol, address: ip, reason });
  }
}

/** The secret may stand in the name, and names are logged and shown. In other letters it tells as much. */
function withoutSecret(stream: string, secret: string): string {
  return stream.replaceAll(new RegExp(secret.replace(/\W/g, '\\$&'), 'gi'), '[hidden]');
}
