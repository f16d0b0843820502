import type { FailureCause } from '../ffmpeg/failure-cause.ts';

/** Arguments that are known only at the start of a run. */
export interface Prepared {
  readonly args: readonly string[];
  readonly secrets?: readonly string[];
  /** Read by the child under `hiddenPath`; it stands in no list of processes. */
  readonly hidden?: string;
}

/** Why something was not even started. */
export class PrepareError extends Error {
  override readonly name = 'PrepareError';
  readonly failure: FailureCause;

  constructor(failure: FailureCause, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

/** Work that should run; plans of features consist of these. */
export interface ProcessSpec {
  /** Names the work for as long as it exists: `forward/wx`. At most one child has it at a time. */
  readonly key: string;
  /** `ffmpeg` unless told; then the options by which it is watched are added. Anything else reports the same way or is taken for stalled. */
  readonly command?: string;
  readonly args: readonly string[];
  /**
   * Asked at each start for what may differ from run to run, such as where a name leads now; `args` then only tell one plan from
   * another. What it rejects with is a failure like any other, best a `PrepareError`.
   */
  readonly prepare?: () => Promise<Prepared>;
  readonly hidden?: string;
  /** Secrets in the arguments, kept out of logs: stream keys, passwords. */
  readonly secrets?: readonly string[];
  /**
   * Called at each start of ffmpeg for a consumer of its standard output. Progress then comes on another descriptor. Without it, standard
   * output must stay empty.
   */
  readonly output?: () => (chunk: Buffer) => void;
  /**
   * Reason for the run, such as the id of the publisher it reads. A new one ends a back-off at once and leaves a
   * running child alone.
   */
  readonly runsFor?: string;
  /** The stream that it publishes, as people name it, where that is known. */
  readonly makes?: string;
  /** More than this speed for long is abnormal. */
  readonly fastLimit?: number;
  /** A run this long is ended and begun anew, which is no failure. */
  readonly longestMs?: number;
  /** Above 0: others go first when the machine is short of time. */
  readonly niceness?: number;
  /** Limit for resident memory. */
  readonly memoryBytes?: number;
}

/** Puts something that is good for one start in the place of what is planned. Plans that differ in that alone are the same. */
export type Exchange = (text: string) => string;

/** Identifies a plan by everything the child is started with. */
export function fingerprint({ command = 'ffmpeg', args, fastLimit, longestMs, niceness, memoryBytes }: ProcessSpec) {
  return JSON.stringify([command, args, fastLimit, longestMs, niceness, memoryBytes]);
}
