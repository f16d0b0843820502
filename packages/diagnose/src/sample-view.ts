import type { SampleTable } from '@weir/streams';

/** Samples of the last minutes, one per second, viewed backwards from now. */
export class SampleView<Field extends string> {
  readonly #table: SampleTable<Field>;

  constructor(table: SampleTable<Field>) {
    this.#table = table;
  }

  get length(): number {
    return this.#table.at.length;
  }

  get newestMs(): number | undefined {
    return this.#table.at.at(-1);
  }

  /** Known values of the newest seconds, oldest first. */
  last(field: Field, seconds: number): number[] {
    return this.#table.columns[field].slice(-seconds).filter((value) => value !== null);
  }

  /** Known values of the oldest seconds. */
  first(field: Field, seconds: number): number[] {
    return this.#table.columns[field].slice(0, seconds).filter((value) => value !== null);
  }

  newest(field: Field): number | undefined {
    return this.#table.columns[field].at(-1) ?? undefined;
  }

  /** Start of an unbroken run up to now in which a condition holds, if it is long enough. Unknown values end the run. */
  held(field: Field, seconds: number, holds: (value: number) => boolean): number | undefined {
    const column = this.#table.columns[field];
    let from = column.length;
    for (let at = column.length - 1; at >= 0; at -= 1) {
      const value = column[at];
      if (value === null || value === undefined || !holds(value)) break;
      from = at;
    }
    return column.length - from >= seconds ? this.#table.at[from] : undefined;
  }

  /** Time of the sample this many seconds ago, or of the oldest. */
  agoMs(seconds: number): number {
    return this.#table.at.at(-Math.min(seconds, this.length)) ?? 0;
  }
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The middle one of the values by size, or the one at another share of the way; 0 without any. */
export function quantile(values: readonly number[], share = 0.5): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
