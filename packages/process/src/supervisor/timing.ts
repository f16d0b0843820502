/** Timeouts of the supervisor. Tests pass shorter ones. */
export interface Timing {
  /** Interval between checks of a child. */
  readonly tickMs: number;
  /** From its start until its clock must have moved: connecting and probing take a while. */
  readonly startMs: number;
  /** A clock that stands this long is stalled. */
  readonly stallMs: number;
  /** Longer than this outside of the speeds it may have is abnormal. */
  readonly abnormalMs: number;
  readonly slowest: number;
  readonly fastest: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Live for this long: earlier failures are forgotten. */
  readonly healthyMs: number;
  /** From asking a child to end until it is killed. */
  readonly graceMs: number;
  /** Limit after which a plan counts as failed, because its dependency may never answer. */
  readonly planMs: number;
  /** Until a plan that failed is tried again, doubling up to `planRetryMostMs`. */
  readonly planRetryMs: number;
  readonly planRetryMostMs: number;
}

export const defaultTiming: Timing = {
  tickMs: 1000,
  startMs: 15_000,
  stallMs: 10_000,
  abnormalMs: 30_000,
  slowest: 0.5,
  fastest: 1.5,
  firstPauseMs: 3000,
  longestPauseMs: 60_000,
  healthyMs: 60_000,
  graceMs: 3000,
  planMs: 15_000,
  planRetryMs: 1000,
  planRetryMostMs: 10_000,
};
