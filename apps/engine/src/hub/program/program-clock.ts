import type { ProgramInput } from './program-input.ts';

/** Start of the clock, which leaves room for audio before the first picture. */
const startMs = 200;

/** Time for which a planned switch waits for a keyframe, before it is cut from the cached group. */
export const armedMs = 4000;
/** Lateness of a keyframe above which its pictures would be squeezed without need. */
const mostLateMs = 200;
/** Longest delay of pictures behind their audio that is accepted if the next keyframe comes soon. */
const mostMovedMs = 30;
const unmovedWithinMs = 2000;

/** The clock of a program: our own clock plus an offset, which is taken from the outgoing input at each switch. */
export class ProgramClock {
  #aheadMs = 0;
  #firstAheadMs: number | undefined;

  begin(nowMs: number): void {
    this.#aheadMs = startMs - nowMs;
    this.#firstAheadMs = undefined;
  }

  /** Present time on the clock of the program. */
  at(nowMs: number): number {
    return nowMs + this.#aheadMs;
  }

  /** Follows the clock of the input on air, but returns slowly to the first offset, so that many switches do not add up. */
  keep(offsetMs: number, { edgeMs, intervalMs }: Pick<ProgramInput, 'edgeMs' | 'intervalMs'>): void {
    if (edgeMs === undefined) return;
    const aheadMs = offsetMs + edgeMs;
    this.#firstAheadMs ??= aheadMs;
    this.#aheadMs = aheadMs + Math.max(-intervalMs, Math.min(intervalMs, this.#firstAheadMs - aheadMs));
  }

  /** Offset that maps timestamps of an input, the same for both tracks, to this clock. */
  offsetFor({ edgeMs, recentAudio }: Pick<ProgramInput, 'edgeMs' | 'recentAudio'>, nowMs: number): number {
    return this.#aheadMs - (edgeMs ?? (recentAudio.at(-1)?.dtsMs ?? 0) - nowMs);
  }
}

interface Keyframe {
  /** Lateness of the keyframe against the usual time of its input. */
  readonly lateMs: number;
  /** Time by which the keyframe lies before the last sent picture, and is shown behind its own audio. */
  readonly movedMs: number;
  /** Time since the switch was planned. */
  readonly waitedMs: number;
  /** The clock of its input is known, and the input is not behind. */
  readonly isSettled: boolean;
}

/** True where a planned switch waits for the keyframe after this one. */
export function isNextBetter({ lateMs, movedMs, waitedMs, isSettled }: Keyframe): boolean {
  const isLate = lateMs > mostLateMs || !isSettled;
  return (isLate && waitedMs < armedMs) || (movedMs > mostMovedMs && waitedMs < unmovedWithinMs);
}
