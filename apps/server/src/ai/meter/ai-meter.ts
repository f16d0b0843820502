import { type AiCause, type AiFeature, type AiLimits, aiHosts } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Collection, Store } from '../../core/store/store.ts';
import { AiError } from '../ai.ts';
import { aiLimits } from './ai-limits.ts';
import { blankRow, toUtcDay, UsageRow, usageKey } from './usage-row.ts';

/** Host that has failed for a feature for a while. */
interface FailingHost {
  readonly feature: AiFeature;
  readonly host: string;
  readonly sinceMs: number;
  readonly lastMs: number;
  /** Consecutive failures. */
  readonly count: number;
  readonly cause: AiCause;
}

/** Shorter failures may be a restart, and one or two may be chance. */
const patienceMs = 60_000;
const tooOften = 3;
/** Without requests for this long, a failure is no longer reported. */
const forgetMs = 300_000;
/** Hosts are typed by people. */
const most = 100;

/** Failing hosts and the start of their failure. In memory only: a persisting failure shows again after a restart. */
class FailingHosts {
  readonly #clock: Pick<Clock, 'dateMs' | 'elapsedMs'>;
  readonly #failing = new Map<string, FailingHost & { readonly beganMs: number }>();

  constructor(clock: Pick<Clock, 'dateMs' | 'elapsedMs'>) {
    this.#clock = clock;
  }

  /** Records the end of a call, with its cause of failure if any. */
  note(feature: AiFeature, host: string, cause: AiCause | undefined): void {
    // Excludes built-in AI, which has its own alert, and tests, which show their result at once.
    if (host === aiHosts.builtIn || feature === 'check') return;
    const key = `${feature}/${host}`;
    const known = this.#failing.get(key);
    this.#failing.delete(key);
    if (cause === undefined) return;
    const lastMs = this.#clock.elapsedMs();
    const isOld = known !== undefined && lastMs - known.lastMs > forgetMs;
    const began = known && !isOld ? known : { sinceMs: this.#clock.dateMs(), beganMs: lastMs, count: 0 };
    const { sinceMs, beganMs, count } = began;
    this.#failing.set(key, { feature, host, sinceMs, beganMs, lastMs, count: count + 1, cause });
    for (const oldest of this.#failing.keys()) if (this.#failing.size > most) this.#failing.delete(oldest);
  }

  /** Hosts that have failed long enough for an alert. */
  get long(): readonly FailingHost[] {
    const nowMs = this.#clock.elapsedMs();
    return [...this.#failing.values()].filter(
      ({ beganMs, lastMs, count }) => count >= tooOften && lastMs - beganMs >= patienceMs && nowMs - lastMs <= forgetMs,
    );
  }
}

/** Interval of writes: counts survive a kill, and not every call costs a disk access. */
const writeEveryMs = 3000;
const keepDays = 31;
const dayMs = 24 * 3600 * 1000;
/** Limits the rows of hosts, which people type. Further hosts share one row. */
const mostRowsPerDay = 500;

interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

interface Call {
  readonly feature: AiFeature;
  readonly host: string;
  readonly seconds: number;
}

/** Counts a call while it is under way. */
interface Spending {
  /** Idempotent. */
  end(result: { readonly tokens?: number; readonly cause?: AiCause; readonly isStopped?: boolean }): void;
}

/** Counts what AI costs, per feature, host and day, and stops a feature at the limit that its owner set. */
export class AiMeter {
  readonly failing: FailingHosts;
  readonly #rows: Collection<UsageRow>;
  readonly #limits: Setting<AiLimits>;
  readonly #clock: Clock;
  readonly #log: Log;
  #day = '';
  /** Today's rows by key. */
  #today = new Map<string, UsageRow>();
  readonly #unwritten = new Map<string, UsageRow>();

  constructor({ store, clock, log }: Context) {
    this.#rows = store.collection('ai-usage', UsageRow);
    this.#limits = aiLimits(store);
    this.#clock = clock;
    this.failing = new FailingHosts(clock);
    this.#log = log;
  }

  /** Counts a starting call; throws `limit-reached` at the limit. */
  async begin({ feature, host, seconds }: Call): Promise<Spending> {
    if (host !== aiHosts.builtIn && (await this.isReached(feature))) {
      throw new AiError('limit-reached', 'the daily limit of this feature has been reached');
    }
    const today = await this.#open();
    const row = this.#rowOf(today, feature, host);
    const beganMs = this.#clock.elapsedMs();
    row.calls += 1;
    row.audioSeconds += seconds;
    this.#changed(row);
    let isOver = false;
    return {
      end: ({ tokens = 0, cause, isStopped = false }) => {
        if (isOver) return;
        isOver = true;
        row.tokens += tokens;
        row.delayMs += this.#clock.elapsedMs() - beganMs;
        if (cause) {
          row.errors += 1;
          row.lastCause = cause;
        }
        // A cancelled call says nothing about the host.
        if (!isStopped) this.failing.note(feature, host, cause);
        this.#changed(row);
      },
    };
  }

  /** True if a feature has reached its limit for today. */
  async isReached(feature: AiFeature): Promise<boolean> {
    const limits = (await this.#limits.read())[feature];
    return isReached(limits, totals((await this.#open()).values(), feature));
  }

  /** Today's usage, including calls in progress. */
  async today(): Promise<{ readonly day: string; readonly rows: readonly UsageRow[] }> {
    const rows = [...(await this.#open()).values()];
    return { day: this.#day, rows };
  }

  /** Usage of the last weeks, including today. */
  async history(): Promise<readonly UsageRow[]> {
    await this.flush();
    return (await this.#rows.list()).map(({ value }) => value);
  }

  /** Saves the counts until the server stops. */
  async run(signal: AbortSignal): Promise<void> {
    let swept = '';
    while (!signal.aborted) {
      await this.#clock.pause(writeEveryMs, signal).catch(() => undefined);
      try {
        await this.flush();
        const day = toUtcDay(this.#clock.dateMs());
        if (day !== swept) await this.#sweep();
        swept = day;
      } catch (error) {
        this.#log.warn({ err: error }, 'AI usage could not be written, trying again');
      }
    }
  }

  async flush(): Promise<void> {
    for (const [key, row] of [...this.#unwritten]) {
      this.#unwritten.delete(key);
      await this.#rows.put(key, row).catch((error: unknown) => {
        this.#unwritten.set(key, row);
        throw error;
      });
    }
  }

  /** Today's rows, replaced when the day changes. */
  async #open(): Promise<Map<string, UsageRow>> {
    const day = toUtcDay(this.#clock.dateMs());
    if (this.#day === day) return this.#today;
    const stored = (await this.#rows.list()).filter(({ value }) => value.day === day);
    // Another caller may have loaded it since.
    if (this.#day !== day) {
      this.#day = day;
      this.#today = new Map(stored.map(({ key, value }) => [key, { ...value }]));
    }
    return this.#today;
  }

  #rowOf(today: Map<string, UsageRow>, feature: AiFeature, host: string): UsageRow {
    const key = usageKey({ day: this.#day, feature, host });
    if (!today.has(key) && today.size >= mostRowsPerDay && host !== aiHosts.others) {
      return this.#rowOf(today, feature, aiHosts.others);
    }
    const row = today.get(key) ?? blankRow(this.#day, feature, host);
    today.set(key, row);
    return row;
  }

  #changed(row: UsageRow): void {
    this.#unwritten.set(usageKey(row), row);
  }

  async #sweep(): Promise<void> {
    const oldest = toUtcDay(this.#clock.dateMs() - keepDays * dayMs);
    for (const { key, value } of await this.#rows.list()) if (value.day < oldest) await this.#rows.delete(key);
  }
}

interface Totals {
  readonly calls: number;
  readonly audioSeconds: number;
}

/** Today's outgoing totals of one feature. */
function totals(rows: Iterable<UsageRow>, feature: AiFeature): Totals {
  let calls = 0;
  let audioSeconds = 0;
  for (const row of rows) {
    if (row.feature !== feature || row.host === aiHosts.builtIn) continue;
    calls += row.calls;
    audioSeconds += row.audioSeconds;
  }
  return { calls, audioSeconds };
}

function isReached({ calls, minutes }: AiLimits[AiFeature], spent: Totals): boolean {
  return (calls > 0 && spent.calls >= calls) || (minutes > 0 && spent.audioSeconds >= minutes * 60);
}
