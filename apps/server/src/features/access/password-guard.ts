import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { GuessLimiter } from '../../core/passwords/guess-limiter.ts';
import { Crowded, HashingQueue } from '../../core/passwords/hashing-queue.ts';
import { verifyPassword } from '../../core/passwords/password.ts';
import { tooManyTries } from '../../core/passwords/too-many-tries.ts';

/** Checks passwords of viewers: few at a time, and few wrong ones. Its limits are apart from the administrator's. */
export class PasswordGuard {
  readonly #limiter: GuessLimiter;
  readonly #hashing = new HashingQueue({ width: 1, longest: 64 });

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#limiter = new GuessLimiter(clock);
  }

  /** Throws unless the password is right. */
  async check(password: string, stored: string, address: string): Promise<void> {
    const waitMs = this.#limiter.take(address, { isKnown: false });
    if (waitMs !== undefined) throw tooManyTries(waitMs);
    let isRight: boolean;
    try {
      isRight = await this.#hashing.run(() => verifyPassword(password, stored), { isKnown: false });
    } catch (error) {
      throw error instanceof Crowded ? tooManyTries(1000) : error;
    }
    if (!isRight) throw new WeirError('wrong_password', 'incorrect password');
    this.#limiter.forgive(address, { isKnown: false });
  }
}
