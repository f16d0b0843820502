import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { GuessLimiter, guessLimits } from '../../core/passwords/guess-limiter.ts';
import { HashingOverload, HashingQueue } from '../../core/passwords/hashing-queue.ts';
import { verifyPassword } from '../../core/passwords/password.ts';
import { tooManyTries } from '../../core/passwords/too-many-tries.ts';

/** Limits guesses of viewers, whose networks are unknown. A few guessing hosts must not use up the attempts of everybody. */
const limits = { ...guessLimits, overall: { burst: 300, refillMs: 100 } };
const mostRight = 1000;

/**
 * Checks passwords of viewers: few at a time, and few wrong ones. Viewers from networks without wrong guesses go first. Separate from the
 * administrator's limits.
 */
export class PasswordGuard {
  readonly #limiter: GuessLimiter;
  readonly #hashing = new HashingQueue({ width: 1, longest: 64 });
  /**
   * Marks of right passwords by their stored hash. A show begins with hundreds of viewers who know the password, and hashing it takes a
   * core for a tenth of a second each time.
   */
  readonly #right = new Map<string, Buffer>();
  readonly #markKey = randomBytes(32);

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#limiter = new GuessLimiter(clock, limits);
  }

  /** A password that its owner has just set need not be hashed again for viewers who know it. */
  learn(password: string, stored: string): void {
    if (this.#right.size >= mostRight) this.#right.clear();
    this.#right.set(stored, this.#markOf(password));
  }

  /** Throws unless the password is right. */
  async check(password: string, stored: string, address: string): Promise<void> {
    const isFirst = this.#limiter.isQuiet(address);
    const waitMs = this.#limiter.take(address, { isKnown: false });
    if (waitMs !== undefined) throw tooManyTries(waitMs);
    if (!(this.#compare(password, stored) ?? (await this.#verify(password, stored, isFirst)))) {
      throw new WeirError('wrong_password', 'incorrect password');
    }
    this.#limiter.forgive(address, { isKnown: false });
  }

  /** Undefined until the right password has been seen. */
  #compare(password: string, stored: string): boolean | undefined {
    const right = this.#right.get(stored);
    return right && timingSafeEqual(right, this.#markOf(password));
  }

  async #verify(password: string, stored: string, isFirst: boolean): Promise<boolean> {
    try {
      return await this.#hashing.run(
        async () => {
          // An earlier check in the queue may have found this password right.
          const known = this.#compare(password, stored);
          if (known !== undefined) return known;
          const isRight = await verifyPassword(password, stored);
          if (isRight) this.learn(password, stored);
          return isRight;
        },
        { isKnown: isFirst },
      );
    } catch (error) {
      throw error instanceof HashingOverload ? tooManyTries(1000) : error;
    }
  }

  /** A random key, so that marks say nothing outside this process. */
  #markOf(password: string): Buffer {
    return createHmac('sha256', this.#markKey).update(password.normalize('NFC')).digest();
  }
}
