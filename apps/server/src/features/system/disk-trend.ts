import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Store } from '../../core/store/store.ts';

const hourMs = 3600_000;
const dayMs = 24 * hourMs;
/** Period of the trend: two days, because the use of last week says little about tomorrow. */
const mostRows = 48;
/** Shortest period from which a trend is computed. */
const leastMs = 6 * hourMs;

const Rows = z.object({ rows: z.array(z.object({ atMs: z.number(), freeBytes: z.number() })).default([]) });

interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly freeBytes: () => Promise<number | undefined>;
}

/** Disk usage over time: free space, stored every hour. */
export class DiskTrend {
  readonly #context: Context;
  readonly #rows: ReturnType<typeof settingOf>;

  constructor(context: Context) {
    this.#context = context;
    this.#rows = settingOf(context.store);
  }

  /** Daily loss of free space, if known, and the time of the newest entry. */
  async read(): Promise<{ bytesPerDay: number | undefined; newestMs: number }> {
    const { rows } = await this.#rows.read();
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return { bytesPerDay: undefined, newestMs: 0 };
    const passedMs = last.atMs - first.atMs;
    const bytesPerDay = passedMs < leastMs ? undefined : ((first.freeBytes - last.freeBytes) * dayMs) / passedMs;
    return { bytesPerDay, newestMs: last.atMs };
  }

  /** Time until this many free bytes are used at the present pace; undefined if unknown or never. */
  async fullInDays(freeBytes: number): Promise<number | undefined> {
    const { bytesPerDay = 0 } = await this.read();
    return bytesPerDay > 0 ? Math.round((freeBytes * 10) / bytesPerDay) / 10 : undefined;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    while (!signal.aborted) {
      await clock.pause(hourMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.note().catch(() => undefined);
    }
  }

  async note(): Promise<void> {
    const { clock, freeBytes } = this.#context;
    const free = await freeBytes();
    const atMs = clock.dateMs();
    if (free === undefined) return;
    // Entries in the future came from a wrong clock.
    await this.#rows.update(({ rows }) => ({
      rows: [...rows.filter((row) => row.atMs < atMs), { atMs, freeBytes: free }].slice(-mostRows),
    }));
  }
}

function settingOf(store: Store) {
  return store.setting('system/disk-trend', Rows);
}
