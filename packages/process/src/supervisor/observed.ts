import type { FailureCause } from '../ffmpeg/failure-cause.ts';

/** `idle`: nothing is wanted of it now. */
export type Phase = 'idle' | 'starting' | 'running' | 'backing-off' | 'stopping';

/** What a running child says of itself, with rates over the last seconds rather than since its start. */
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

/** Everything known of one key, now. Nothing of it is stored. */
export interface Observed {
  readonly phase: Phase;
  /** When the phase began. */
  readonly since: Date;
  readonly pid: number | undefined;
  /** Of the child that lives now. */
  readonly startedAt: Date | undefined;
  /** When its clock first moved. */
  readonly readyAt: Date | undefined;
  readonly progress: Progress | undefined;
  /** In a row; 0 again after a minute of health. */
  readonly failures: number;
  /** Of the first of them. */
  readonly failingSince: Date | undefined;
  readonly starts: number;
  /** It has been live since it was last begun to be wanted, or wanted otherwise. */
  readonly wasLive: boolean;
  readonly failure: Failure | undefined;
  readonly nextTryAt: Date | undefined;
  /** The last ones of this and earlier runs. */
  readonly lines: readonly string[];
}

/** What happened to a piece of work: its clock moved for the first time in a run, or its run ended, wanted or not. */
export interface WorkChange {
  readonly key: string;
  readonly what: 'started' | 'failed' | 'ended';
  /** Both as in `ProcessSpec`. */
  readonly runsFor: string | undefined;
  readonly makes: string | undefined;
  /** Of `failed`. */
  readonly failure: Failure | undefined;
}
