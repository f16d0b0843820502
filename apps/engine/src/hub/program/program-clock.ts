import type { ProgramInput } from './program-input.ts';

/** Start of the clock: room for audio that comes before the first picture. */
const startMs = 200;

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
