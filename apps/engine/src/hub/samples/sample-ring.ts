import type { SampleTable } from '@weir/dialect';

/** The last samples of a kind, in memory of a fixed size. NaN stands for what was not known. */
export class SampleRing {
  readonly #width: number;
  readonly #size: number;
  readonly #values: Float32Array;
  readonly #at: Float64Array;
  #next = 0;

  constructor(width: number, size: number) {
    this.#width = width;
    this.#size = size;
    this.#values = new Float32Array(width * size);
    this.#at = new Float64Array(size);
  }

  /** When the newest began; 0 without one. */
  get newestAt(): number {
    return this.#at[(this.#next + this.#size - 1) % this.#size] ?? 0;
  }

  write(atMs: number, values: Float64Array): void {
    this.#at[this.#next] = atMs;
    this.#values.set(values, this.#next * this.#width);
    this.#next = (this.#next + 1) % this.#size;
  }

  /** Samples after the given time, oldest first, up to a limit. */
  after<Field extends string>(sinceMs: number, fields: readonly Field[], most = this.#size): SampleTable<Field> {
    const rows: number[] = [];
    for (let step = 0; step < this.#size && rows.length < most; step += 1) {
      const row = (this.#next + step) % this.#size;
      if ((this.#at[row] ?? 0) > sinceMs) rows.push(row);
    }
    const columns: Record<string, (number | null)[]> = {};
    for (const [index, field] of fields.entries()) {
      columns[field] = rows.map((row) => shown(this.#values[row * this.#width + index]));
    }
    return { at: rows.map((row) => this.#at[row] ?? 0), columns: columns as Record<Field, (number | null)[]> };
  }
}

function shown(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : Math.round(value * 100) / 100;
}
