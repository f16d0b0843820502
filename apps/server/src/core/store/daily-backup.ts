import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@weir/plane';
import type { Clock } from '../clock.ts';
import type { Task } from '../task.ts';
import type { Store } from './store.ts';

const keptDays = 7;
const roundMs = 3600_000;
/** Starting up has more urgent things to do. */
const firstMs = 60_000;

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
}

/** Keeps a copy of the settings for each of the last days. */
export function dailyBackups(directory: string, { store, log, clock }: Context): Task {
  return async (signal) => {
    await clock.pause(firstMs, signal);
    while (!signal.aborted) {
      try {
        await backUpToday(store, directory, new Date(clock.dateMs()));
      } catch (error) {
        log.warn({ err: error }, 'daily backup failed');
      }
      await clock.pause(roundMs, signal);
    }
  };
}

export async function backUpToday(store: Store, directory: string, now: Date): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const name = `weir-${now.toISOString().slice(0, 10)}.db`;
  const existing = (await readdir(directory)).filter((file) => /^weir-\d{4}-\d\d-\d\d\.db$/.test(file)).sort();
  if (existing.includes(name)) return;
  await store.backup(join(directory, name));
  // Copies of days to come are of a clock that was wrong; they go before those of real days.
  const [wrong, right] = [existing.filter((file) => file > name), existing.filter((file) => file < name)];
  for (const old of [...wrong, ...right, name].slice(0, -keptDays)) await rm(join(directory, old), { force: true });
}
