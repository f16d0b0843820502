import { type OcrCause, type OcrSkip, ocrSkips } from '@weir/contract';
import { type Clock, isoNow } from '../../../core/clock.ts';

/** Counts of segments by result, since the start or the last reset. */
export class ResultCounts {
  taken = 0;
  called = 0;
  failed = 0;
  /** Cause of the last failure, until a frame is read again. */
  cause: OcrCause | null = null;
  readAt = '';
  readonly skipped = Object.fromEntries(ocrSkips.map((skip) => [skip, 0])) as Record<OcrSkip, number>;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  call(): void {
    this.called++;
    this.cause = null;
    this.readAt = isoNow(this.#clock);
  }

  fail(cause: OcrCause): void {
    this.failed++;
    this.cause = cause;
  }

  skip(why: OcrSkip): void {
    this.skipped[why]++;
  }
}
