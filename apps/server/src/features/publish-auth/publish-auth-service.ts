import type { PublishAuth } from '@weir/contract';
import type { Log } from '@weir/plane';
import { WeirError } from '../../core/errors.ts';
import { type Publish, showsSecret } from './publish-auth-rule.ts';
import type { PublishSecretRepository } from './publish-secret-repository.ts';

interface Needs {
  readonly secrets: PublishSecretRepository;
  readonly log: Log;
}

interface Attempt extends Publish {
  readonly app: string;
  readonly ip: string;
}

/** Decides who may publish. */
export class PublishAuthService {
  readonly #secrets: PublishSecretRepository;
  readonly #log: Log;

  constructor({ secrets, log }: Needs) {
    this.#secrets = secrets;
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
    // The secret may stand in the name, and names are logged.
    const facts = { app: attempt.app, stream: attempt.stream.replaceAll(secret, '[hidden]'), ip: attempt.ip };
    if (showsSecret(attempt, secret)) {
      this.#log.debug(facts, 'publisher accepted');
    } else if (await this.#secrets.isNoAuth()) {
      this.#log.info(facts, 'publisher accepted without a secret');
    } else {
      this.#log.warn(facts, 'publisher refused');
      throw new WeirError('publish_refused', 'the publish secret is missing or wrong');
    }
  }
}
