import type { Cue } from '@weir/dialect';

export interface ShownCue {
  readonly id: string;
  readonly text: string;
  /** When it stands on the screen, on the stream's clock. */
  readonly fromMs: number;
  readonly toMs: number;
}

const mostKept = 300;
/** More lines than this hide the picture. */
const mostShown = 2;
const readingMsPerSign = 40;
const leastMs = 1000;
const mostMs = 7000;

/** What is said and when it is to be shown. Pure: time is told to it. */
export class CueBoard {
  readonly #cues = new Map<string, ShownCue>();

  /**
   * `positionMs`: where the player is or was when they became known. That is after they were said, so a player near the live edge is
   * past them: they are shown from there on, for as long as they take to be said or read.
   */
  add(cues: readonly Cue[], positionMs: number): void {
    for (const { id, startMs, endMs, text } of cues) {
      const before = this.#cues.get(id);
      this.#cues.delete(id);
      if (text === '') continue;
      const fromMs = before?.fromMs ?? Math.max(startMs, positionMs);
      const shownMs = fromMs === startMs ? endMs - startMs : Math.max(endMs - startMs, readingMs(text));
      this.#cues.set(id, { id, text, fromMs, toMs: fromMs + shownMs });
    }
    for (const id of this.#cues.keys()) {
      if (this.#cues.size <= mostKept) break;
      this.#cues.delete(id);
    }
  }

  clear(): void {
    this.#cues.clear();
  }

  /** Oldest first. */
  at(positionMs: number): ShownCue[] {
    const shown: ShownCue[] = [];
    for (const cue of this.#cues.values()) if (cue.fromMs <= positionMs && positionMs < cue.toMs) shown.push(cue);
    return shown.sort((a, b) => a.fromMs - b.fromMs).slice(-mostShown);
  }
}

function readingMs(text: string): number {
  return Math.min(mostMs, Math.max(leastMs, text.length * readingMsPerSign));
}
