import type { Cue } from '@weir/dialect';

interface RollingCue {
  readonly id: string;
  readonly text: string;
  readonly isGrown: boolean;
}

interface Line {
  text: string;
  /** Since when it says this. */
  readonly sinceMs: number;
}

const mostLines = 2;
/** Nothing leaves that has only just come. */
const leastLineMs = 1000;

/** Text that grows while it is said takes two lines: a third pushes the first one out, which does not come back. */
class RollingLines {
  /** Of what is shown and grew: its lines, and how many have left. */
  #cues = new Map<string, { lines: Line[]; left: number }>();

  /** The same, without the lines that have left. */
  roll<T extends RollingCue>(shown: readonly T[], positionMs: number): T[] {
    const before = this.#cues;
    this.#cues = new Map();
    for (const { id, text, isGrown } of shown) {
      if (!isGrown) continue;
      const known = before.get(id);
      const lines = text.split('\n').map((line, at) => {
        const old = known?.lines[at];
        return old?.text === line ? old : { text: line, sinceMs: positionMs };
      });
      this.#cues.set(id, { lines, left: Math.min(known?.left ?? 0, lines.length) });
    }
    this.#push(shown, positionMs);
    return shown.flatMap((cue) => {
      const grown = this.#cues.get(cue.id);
      if (!grown || grown.left === 0) return [cue];
      const text = grown.lines.slice(grown.left).map((line) => line.text);
      return text.length === 0 ? [] : [{ ...cue, text: text.join('\n') }];
    });
  }

  #push(shown: readonly RollingCue[], positionMs: number): void {
    const count = ({ id, text }: RollingCue) => {
      const grown = this.#cues.get(id);
      return grown ? grown.lines.length - grown.left : text.split('\n').length;
    };
    let excess = shown.reduce((sum, cue) => sum + count(cue), 0) - mostLines;
    for (const { id } of shown) {
      const grown = this.#cues.get(id);
      for (; grown && excess > 0; excess--) {
        const line = grown.lines[grown.left];
        if (!line || positionMs - line.sinceMs < leastLineMs) return;
        grown.left += 1;
      }
      if (!grown) return;
    }
  }
}

export interface ShownCue {
  readonly id: string;
  readonly text: string;
  /** When it stands on the screen, on the stream's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  /** It was shown while it was being said: words come to it at its end, and must not move those that are there. */
  readonly isGrown: boolean;
}

const mostKept = 300;
/** More than this hides the picture. */
const mostShown = 2;
const readingMsPerSign = 40;
const leastMs = 1000;
const mostMs = 7000;
/** A text that may still grow waits for that, unless it has been forgotten. */
const growingMs = 4000;

/** What is said and when it is to be shown. Pure: time is told to it, and only runs forward where text grows. */
export class CueSchedule {
  readonly #cues = new Map<string, ShownCue>();
  readonly #rolling = new RollingLines();

  /**
   * `positionMs`: where the player is or was when they became known. That is after they were said, so a player near the live edge is
   * past them: they are shown from there on, for as long as they take to be said or read.
   */
  add(cues: readonly Cue[], positionMs: number): void {
    for (const cue of cues) {
      const before = this.#cues.get(cue.id);
      this.#cues.delete(cue.id);
      if (cue.text !== '') this.#cues.set(cue.id, shownCue(cue, before, positionMs));
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
    return this.#rolling.roll(shown.sort((a, b) => a.fromMs - b.fromMs).slice(-mostShown), positionMs);
  }
}

function shownCue({ id, startMs, endMs, text, isInterim }: Cue, before: ShownCue | undefined, positionMs: number) {
  const fromMs = before?.fromMs ?? Math.max(startMs, positionMs);
  const isGrown = isInterim === true || before?.isGrown === true;
  const shownMs = fromMs === startMs ? endMs - startMs : Math.max(endMs - startMs, readingMs(text));
  // Its last words came later than its first.
  const grownMs = isInterim ? growingMs : readingMs(text.slice(before?.text.length ?? 0));
  const toMs = Math.max(fromMs + shownMs, isGrown ? Math.max(positionMs, fromMs) + grownMs : 0);
  return { id, text, fromMs, toMs, isGrown };
}

function readingMs(text: string): number {
  return Math.min(mostMs, Math.max(leastMs, text.length * readingMsPerSign));
}
