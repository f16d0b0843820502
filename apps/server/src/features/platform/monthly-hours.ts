import { type MonthlyUse, noMonthlyLimit } from '@weir/contract';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Single } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

/** A longer gap means that nobody looked, not that everybody stayed. */
const longestGapSeconds = 60;
const saveEverySeconds = 60;

const StoredUse = z.object({
  totalDuration: z.number().default(noMonthlyLimit),
  startDate: z.string(),
  lastUpdateDate: z.string(),
  consumedDuration: z.number().default(0),
});

/** Stream fields needed for counting hours. */
interface Counted {
  readonly media?: { readonly viewers: number };
}

/** Counts hours of publishing and playing, from the first of each month on the server's clock. */
export class MonthlyHours {
  readonly #use: Single<MonthlyUse>;
  readonly #clock: Clock;
  /** Counted, but not in the store yet: at most a minute of work is lost with a power cut. */
  #pendingSeconds = 0;
  #lookedAt: Date | undefined;
  #savedAt: Date;

  constructor(store: Store, clock: Clock) {
    this.#use = store.single('monthly-hours/hours', StoredUse);
    this.#clock = clock;
    this.#savedAt = this.#now();
  }

  async query(): Promise<MonthlyUse> {
    const now = this.#now();
    return addUse(await this.#use.get(), this.#pendingSeconds, now);
  }

  async limit(totalDuration: number): Promise<void> {
    const now = this.#now();
    await this.#use.update((current) => ({ ...addUse(current, 0, now), totalDuration }));
  }

  /** Counts live streams and viewers for the time since the last call. */
  async count(streams: readonly Counted[]): Promise<void> {
    const now = this.#now();
    const gapSeconds = this.#lookedAt ? secondsBetween(this.#lookedAt, now) : 0;
    this.#lookedAt = now;
    const heads = streams.reduce((sum, { media }) => sum + 1 + (media?.viewers ?? 0), 0);
    this.#pendingSeconds += Math.min(gapSeconds, longestGapSeconds) * heads;
    if (secondsBetween(this.#savedAt, now) >= saveEverySeconds) await this.save();
  }

  async save(): Promise<void> {
    const now = this.#now();
    this.#savedAt = now;
    const seconds = this.#pendingSeconds;
    if (seconds === 0) return;
    await this.#use.update((current) => addUse(current, seconds, now));
    this.#pendingSeconds -= seconds;
  }

  /** Throws `publish_refused` once the hours of this month are used up. Who is live stays live. */
  async assertLeft(): Promise<void> {
    const { totalDuration, consumedDuration } = await this.query();
    if (totalDuration === noMonthlyLimit || consumedDuration < totalDuration) return;
    throw new WeirError('publish_refused', 'the streaming hours of this month are used up');
  }

  #now(): Date {
    return new Date(this.#clock.dateMs());
  }
}

function addUse(current: MonthlyUse | undefined, seconds: number, now: Date): MonthlyUse {
  const at = now.toISOString();
  const isThisMonth = current !== undefined && monthOf(new Date(current.startDate)) === monthOf(now);
  return {
    totalDuration: current?.totalDuration ?? noMonthlyLimit,
    startDate: isThisMonth ? current.startDate : new Date(now.getFullYear(), now.getMonth(), 1).toISOString(),
    lastUpdateDate: at,
    consumedDuration: (isThisMonth ? current.consumedDuration : 0) + seconds,
  };
}

const monthOf = (at: Date) => at.getFullYear() * 12 + at.getMonth();
const secondsBetween = (from: Date, to: Date) => Math.max(0, (to.getTime() - from.getTime()) / 1000);
