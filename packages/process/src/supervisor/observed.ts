import type { ProcessExit } from '@weir/streams';
import type { FailureCause } from '../ffmpeg/failure-cause.ts';
import type { ProcessPhase } from '../managed/managed-process.ts';

/** Progress of a running child, with rates over the last seconds rather than since its start. */
export interface Progress {
  readonly fps: number | undefined;
  readonly kbps: number | undefined;
  /** 1 keeps up with the clock. */
  readonly speed: number | undefined;
  readonly droppedFrames: number;
  readonly mediaMs: number;
  /** In one line, as people know it from ffmpeg. */
  readonly log: string;
  readonly at: Date;
}

export interface Failure {
  readonly cause: FailureCause;
  /** In the program's own words where it had some. Without secrets. */
  readonly detail: string;
  readonly at: Date;
}

/** Current state of one key. None of it is stored. */
export interface Observed {
  readonly phase: ProcessPhase;
  /** When the phase began. */
  readonly since: Date;
  readonly pid: number | undefined;
  /** Start of the current child. */
  readonly startedAt: Date | undefined;
  /** When its clock first moved. */
  readonly readyAt: Date | undefined;
  readonly progress: Progress | undefined;
  /** Consecutive failures; 0 again after a minute without one. */
  readonly failures: number;
  /** Time of the first of these failures. */
  readonly failingSince: Date | undefined;
  readonly starts: number;
  /** True if it was live at any time since its current spec was planned. */
  readonly wasLive: boolean;
  readonly failure: Failure | undefined;
  readonly lastExit: ProcessExit | undefined;
  readonly nextTryAt: Date | undefined;
  /** The last ones of this and earlier runs. */
  readonly lines: readonly string[];
}

/** Change of a key's state: media time advanced for the first time in a run, or the run ended, on request or not. */
export interface WorkChange {
  readonly key: string;
  readonly what: 'started' | 'failed' | 'ended';
  /** `runsFor` and `makes` of the `ProcessSpec`. */
  readonly runsFor: string | undefined;
  readonly makes: string | undefined;
  /** Set when `what` is `failed`. */
  readonly failure: Failure | undefined;
}
