import type { ProgramInput } from './program-input.ts';

/** Start of the clock: room for audio that comes before the first picture. */
const startMs = 200;

/** A planned switch waits this long for a keyframe, then it is cut from the cached group. */
export const armedMs = 4000;
/** A keyframe this much later than its input usually is would press pictures without need. */
const mostLateMs = 200;
/** Pictures must not be shown later than this after their audio, if the next keyframe comes soon. */
const mostMovedMs = 30;
const unmovedWithinMs = 2000;

/** The clock of a program: our own and a difference, which is taken anew from the outgoing input at each switch. */
export class ProgramClock {
  #aheadMs = 0;
  #firstAheadMs: number | undefined;

  begin(nowMs: number): void {
    this.#aheadMs = startMs - nowMs;
    this.#firstAheadMs = undefined;
  }

  /** Now, on the clock of the program. */
  at(nowMs: number): number {
    return nowMs + this.#aheadMs;
  }

  /** Follows the input on air, back towards the first difference, so that many switches do not lead it away. */
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
  /** Later than its input usually is. */
  readonly lateMs: number;
  /** Before the last picture that was sent: it can be shown only that much after its own audio. */
  readonly movedMs: number;
  /** Since the switch was planned. */
  readonly waitedMs: number;
  /** The clock of its input is known, and the input is not behind. */
  readonly isSettled: boolean;
}

/** True where a planned switch waits for the keyframe after this one. */
export function isNextBetter({ lateMs, movedMs, waitedMs, isSettled }: Keyframe): boolean {
  const isLate = lateMs > mostLateMs || !isSettled;
  return (isLate && waitedMs < armedMs) || (movedMs > mostMovedMs && waitedMs < unmovedWithinMs);
}
