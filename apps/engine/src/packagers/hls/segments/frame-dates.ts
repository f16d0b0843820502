import type { MediaFrame } from '@weir/media';

/** Arrivals of the last one or two spans count, which is longer than most interruptions of a line. */
const spanMs = 8000;
/** Time without pictures after which arrivals of audio count. */
const videoLostMs = 3000;
/** Largest correction, as a share of the elapsed time. No publisher's clock is this wrong. */
const mostCorrection = 0.02;
/** Error above which a date is corrected at once. */
const mostErrorMs = 300;

/** Jitter is measured by slices as long as a part of low-latency HLS, over the last 16 s. The worst tenth is left out as accidental. */
const sliceMs = 334;
const slices = 48;
const ordinaryShare = 0.9;

/** Least difference between date and stream clock in a span of arrivals. */
interface Span {
  readonly sinceMs: number;
  leastMs: number;
}

/**
 * Dates of frames. A publisher's clock is a little fast or slow, and lines can only delay frames, so the least delayed frames show which date
 * belongs to the stream's clock. Dates are corrected slowly, whenever a segment asks for one.
 */
export class FrameDates {
  readonly #dateMs: () => number;
  #span: Span | undefined;
  #former: Span | undefined;
  #offsetMs: number | undefined;
  #correctedAtMs = 0;
  #newestMs = 0;
  #lastVideoMs: number | undefined;
  /** Latest arrival in each slice. */
  #latestMs: number[] = [];
  #slice = 0;

  constructor(dateMs: () => number) {
    this.#dateMs = dateMs;
  }

  /** Starts again, for frames on another clock. */
  restart(): void {
    this.#span = undefined;
    this.#former = undefined;
    this.#offsetMs = undefined;
    this.#lastVideoMs = undefined;
    this.#latestMs = [];
  }

  /** Called for every arriving frame. */
  observe({ kind, dtsMs }: MediaFrame): void {
    if (kind === 'video') this.#lastVideoMs = dtsMs;
    else if (this.#lastVideoMs !== undefined && dtsMs - this.#lastVideoMs < videoLostMs) return;
    const nowMs = this.#dateMs();
    const offsetMs = nowMs - dtsMs;
    this.#newestMs = dtsMs;
    this.#noteSlice(Math.floor(dtsMs / sliceMs), offsetMs);
    if (!this.#span || Math.abs(nowMs - this.#span.sinceMs) >= spanMs) {
      this.#former = this.#span;
      this.#span = { sinceMs: nowMs, leastMs: offsetMs };
      return;
    }
    this.#span.leastMs = Math.min(this.#span.leastMs, offsetMs);
  }

  /** Date of a time on the stream's clock. */
  of(dtsMs: number): number {
    const span = this.#span;
    if (!span) this.#offsetMs ??= this.#dateMs() - dtsMs;
    else this.#correct(this.#leastOf(span));
    return dtsMs + (this.#offsetMs ?? 0);
  }

  /** Delay of frames behind the earliest ones, without outliers. */
  get jitterMs(): number {
    if (!this.#span) return 0;
    const sorted = this.#latestMs.toSorted((a, b) => a - b);
    const ordinaryMs = sorted[Math.ceil(ordinaryShare * sorted.length) - 1] ?? 0;
    return Math.max(0, ordinaryMs - this.#leastOf(this.#span));
  }

  #leastOf(span: Span): number {
    return Math.min(span.leastMs, this.#former?.leastMs ?? span.leastMs);
  }

  #noteSlice(slice: number, offsetMs: number): void {
    const isNew = slice !== this.#slice || this.#latestMs.length === 0;
    this.#slice = slice;
    if (isNew) this.#latestMs.push(offsetMs);
    else this.#latestMs[this.#latestMs.length - 1] = Math.max(this.#latestMs.at(-1) ?? offsetMs, offsetMs);
    if (this.#latestMs.length > slices) this.#latestMs.shift();
  }

  #correct(towardsMs: number): void {
    const passedMs = Math.max(0, this.#newestMs - this.#correctedAtMs);
    this.#correctedAtMs = this.#newestMs;
    const errorMs = towardsMs - (this.#offsetMs ?? towardsMs);
    const mostMs = Math.abs(errorMs) > mostErrorMs ? Number.POSITIVE_INFINITY : mostCorrection * passedMs;
    this.#offsetMs = towardsMs - errorMs + Math.max(-mostMs, Math.min(mostMs, errorMs));
  }
}
