import { lstat, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataUsage } from '@weir/contract';
import { type Clock, isoNow } from '../../core/clock.ts';

/** Beyond either the figure is a lower bound: a page must not keep the disk busy. */
const mostEntries = 100_000;
const mostMs = 2000;
const freshMs = 60_000;
const mostDeep = 32;
const shownEntries = 6;

interface Budget {
  entries: number;
  readonly isLate: () => boolean;
}

/** Measures the data directory when somebody asks, at most once a minute and once at a time. */
export class DataUseMeter {
  readonly #dataDir: string;
  readonly #clock: Clock;
  readonly #budget: { readonly entries: number; readonly ms: number };
  #measured: Promise<DataUsage> | undefined;
  #startedAtMs = Number.NEGATIVE_INFINITY;

  constructor(dataDir: string, clock: Clock, budget = { entries: mostEntries, ms: mostMs }) {
    this.#dataDir = dataDir;
    this.#clock = clock;
    this.#budget = budget;
  }

  read(): Promise<DataUsage> {
    const nowMs = this.#clock.elapsedMs();
    if (!this.#measured || nowMs - this.#startedAtMs >= freshMs) {
      this.#startedAtMs = nowMs;
      this.#measured = this.#measure();
    }
    return this.#measured;
  }

  async #measure(): Promise<DataUsage> {
    const path = this.#dataDir;
    const measuredAt = isoNow(this.#clock);
    const untilMs = this.#clock.elapsedMs() + this.#budget.ms;
    const budget: Budget = { entries: this.#budget.entries, isLate: () => this.#clock.elapsedMs() > untilMs };
    const parts: { name: string; bytes: number }[] = [];
    for (const name of await namesIn(path, budget)) {
      parts.push({ name, bytes: await bytesOf(join(path, name), budget, 0) });
    }
    const files = ['weir.db', 'weir.db-wal', 'weir.db-shm'].map((name) => sizeOf(join(path, name)));
    return {
      path,
      bytes: sum(parts.map(({ bytes }) => bytes)),
      atLeast: isSpent(budget),
      largest: parts
        .filter(({ bytes }) => bytes > 0)
        .sort((a, b) => b.bytes - a.bytes)
        .slice(0, shownEntries),
      measuredAt,
      storeBytes: sum(await Promise.all(files)),
    };
  }
}

/** Links are not followed: they may lead anywhere, or in circles. What vanishes meanwhile takes no room. */
async function bytesOf(path: string, budget: Budget, depth: number): Promise<number> {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts) return 0;
  if (!facts.isDirectory() || depth >= mostDeep) return facts.isFile() ? facts.size : 0;
  let bytes = 0;
  for (const name of await namesIn(path, budget)) bytes += await bytesOf(join(path, name), budget, depth + 1);
  return bytes;
}

async function namesIn(directory: string, budget: Budget): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory)) {
      budget.entries -= 1;
      if (isSpent(budget)) break;
      names.push(name);
    }
  } catch {
    // Gone, or not ours to read: what was seen of it counts.
  }
  return names;
}

function isSpent({ entries, isLate }: Budget): boolean {
  return entries < 0 || isLate();
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
