import { type SampleFold, type SampleTable, sampleSpans } from '@weir/streams';

/** The last samples of a kind, in memory of a fixed size. NaN stands for what was not known. */
class SampleRing {
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

const minuteMs = 60_000;

/** Seconds as they come, and the minutes made of them. Writing allocates nothing. */
export class SampleSeries<Field extends string> {
  readonly fields: readonly Field[];
  readonly #folds: readonly SampleFold[];
  readonly #seconds: SampleRing;
  readonly #minutes: SampleRing;
  /** Accumulators of the current minute: sums or maxima, and the number of seconds. */
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;
  readonly #minute: Float64Array;
  #minuteAt = 0;

  constructor(folds: Readonly<Record<Field, SampleFold>>) {
    this.fields = Object.keys(folds) as Field[];
    this.#folds = this.fields.map((field) => folds[field]);
    const width = this.fields.length;
    this.#seconds = new SampleRing(width, sampleSpans.seconds);
    this.#minutes = new SampleRing(width, sampleSpans.minutes);
    this.#sums = new Float64Array(width);
    this.#counts = new Uint32Array(width);
    this.#minute = new Float64Array(width);
  }

  /** A clock that was set back writes nothing until it has caught up, within what is remembered. */
  add(atMs: number, values: Float64Array): void {
    const { newestAt } = this.#seconds;
    if (atMs <= newestAt && newestAt - atMs < sampleSpans.seconds * 1000) return;
    this.pass(atMs);
    this.#minuteAt = minuteOf(atMs);
    this.#seconds.write(atMs, values);
    for (let field = 0; field < values.length; field += 1) {
      const value = values[field] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const before = this.#sums[field] ?? 0;
      this.#sums[field] = this.#folds[field] === 'most' ? Math.max(before, value) : before + value;
      this.#counts[field] = (this.#counts[field] ?? 0) + 1;
    }
  }

  /** Time passes, with a sample or without: a minute that is over is written. */
  pass(atMs: number): void {
    if (this.#minuteAt !== 0 && minuteOf(atMs) !== this.#minuteAt) this.#writeMinute();
  }

  #writeMinute(): void {
    for (let field = 0; field < this.#minute.length; field += 1) {
      const count = this.#counts[field] ?? 0;
      const sum = this.#sums[field] ?? 0;
      this.#minute[field] = count === 0 ? Number.NaN : this.#folds[field] === 'mean' ? sum / count : sum;
    }
    this.#minutes.write(this.#minuteAt, this.#minute);
    this.#sums.fill(0);
    this.#counts.fill(0);
    this.#minuteAt = 0;
  }

  seconds(sinceMs: number, most?: number): SampleTable<Field> {
    return this.#seconds.after(sinceMs, this.fields, most);
  }

  /** Finished ones. */
  minutes(sinceMs: number, most?: number): SampleTable<Field> {
    return this.#minutes.after(sinceMs, this.fields, most);
  }

  get newestAt(): number {
    return this.#seconds.newestAt;
  }
}

function minuteOf(atMs: number): number {
  return Math.floor(atMs / minuteMs) * minuteMs;
}
