import { type ProgressReport, progressLine } from '../ffmpeg/ffmpeg-progress.ts';
import type { Progress } from './observed.ts';

/** Window of the mean: long enough to even out keyframes, short enough to show changes. */
const windowMs = 10_000;
/** Keeping up is judged in percent, where one late packet would count. */
const speedWindowMs = 30_000;
/** A report every half second. */
const mostSamples = 2 * (speedWindowMs / 500);
const leastSpanMs = 2000;
/** A start takes what the source has buffered at once. Reports from this time do not count towards rates. */
const burstMs = 3000;

interface Sample {
  readonly atMs: number;
  readonly report: ProgressReport;
}

interface MeterLimits {
  /** Outside of these for `abnormalMs` the run is not what it should be. */
  readonly slowest: number;
  readonly fastest: number;
  readonly abnormalMs: number;
}

/**
 * Turns ffmpeg's sums into what happens now. Its own rates are averages since its start, so that hours of health would
 * hide a minute of trouble.
 */
export class ProgressMeter {
  readonly #limits: MeterLimits;
  readonly #samples: Sample[] = [];
  #startedAtMs: number | undefined;
  #movedAtMs: number | undefined;
  #slowSinceMs: number | undefined;
  #fastSinceMs: number | undefined;
  #last: Progress | undefined;

  constructor(limits: MeterLimits) {
    this.#limits = limits;
  }

  /** Says whether its clock moved. `atMs` is of a clock that only goes forward. */
  add(report: ProgressReport, atMs: number, now: Date): boolean {
    const before = this.#samples.at(-1)?.report.mediaMs ?? 0;
    const { mediaMs } = report;
    // A report without a time is as good as none: nothing has come through yet.
    if (mediaMs === undefined) return false;
    const hasMoved = mediaMs !== before;
    if (hasMoved) this.#movedAtMs = atMs;
    this.#startedAtMs ??= this.#movedAtMs;
    this.#samples.push({ atMs, report });
    while (this.#samples.length > mostSamples || atMs - (this.#samples[0]?.atMs ?? atMs) > speedWindowMs) {
      this.#samples.shift();
    }
    if (hasMoved) this.#last = this.#progress(report, mediaMs, now);
    this.#judge(atMs);
    return hasMoved;
  }

  get movedAtMs(): number | undefined {
    return this.#movedAtMs;
  }

  get progress(): Progress | undefined {
    return this.#last;
  }

  abnormal(atMs: number): 'too-slow' | 'too-fast' | undefined {
    const { abnormalMs } = this.#limits;
    if (this.#fastSinceMs !== undefined && atMs - this.#fastSinceMs > abnormalMs) return 'too-fast';
    if (this.#slowSinceMs !== undefined && atMs - this.#slowSinceMs > abnormalMs) return 'too-slow';
    return undefined;
  }

  #progress(report: ProgressReport, mediaMs: number, at: Date): Progress {
    return {
      fps: this.#rateSinceBurst((sample) => sample.frames, 1000),
      kbps: this.#rateSinceBurst((sample) => sample.bytes, 8),
      speed: this.#rate((sample) => sample.mediaMs, 1, { withinMs: speedWindowMs }) ?? report.speed,
      droppedFrames: report.droppedFrames,
      mediaMs,
      log: progressLine(report),
      at,
    };
  }

  #rateSinceBurst(value: (report: ProgressReport) => number | undefined, scale: number): number | undefined {
    return this.#rate(value, scale, { withinMs: windowMs, sinceMs: (this.#startedAtMs ?? 0) + burstMs });
  }

  /** Per millisecond of the clock on the wall, times `scale`; undefined until there is enough to tell. */
  #rate(
    value: (report: ProgressReport) => number | undefined,
    scale: number,
    { withinMs = windowMs, sinceMs = 0 } = {},
  ): number | undefined {
    const last = this.#samples.at(-1);
    const first = last && this.#samples.find(({ atMs }) => last.atMs - atMs <= withinMs && atMs >= sinceMs);
    if (!first || last.atMs - first.atMs < leastSpanMs) return undefined;
    const [from, to] = [value(first.report), value(last.report)];
    if (from === undefined || to === undefined) return undefined;
    // A source that began anew counts from the beginning.
    return Math.max(0, Math.round((100 * scale * (to - from)) / (last.atMs - first.atMs)) / 100);
  }

  #judge(atMs: number): void {
    const speed = this.#rate((sample) => sample.mediaMs, 1);
    const { slowest, fastest } = this.#limits;
    this.#slowSinceMs = speed !== undefined && speed < slowest ? (this.#slowSinceMs ?? atMs) : undefined;
    this.#fastSinceMs = speed !== undefined && speed > fastest ? (this.#fastSinceMs ?? atMs) : undefined;
  }
}
