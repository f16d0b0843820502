import type { Cue } from '@weir/streams';

interface RollingCue {
  readonly id: string;
  readonly text: string;
  readonly isGrown: boolean;
}

interface Line {
  text: string;
  /** First appearance of this text. */
  readonly sinceMs: number;
}

const mostLines = 2;
/** Shortest time a line stays visible. */
const leastLineMs = 1000;

/** Keeps growing text within two lines: a third line removes the first for good. */
class RollingLines {
  /** Lines of growing cues, and the number of removed ones. */
  #cues = new Map<string, { lines: Line[]; left: number }>();

  /** Returns the cues without their removed lines. */
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
  /** Display time on the stream's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Shown while still being spoken: new words are appended and must not move the existing ones. */
  readonly isGrown: boolean;
}

const mostKept = 300;
/** More lines would hide the video. */
const mostShown = 2;
const readingMsPerSign = 40;
/** A letter of Chinese, Japanese or Korean says as much as two or three others. */
const readingMsPerWideSign = 100;
const leastMs = 1000;
const mostMs = 7000;
/** Interim text waits this long for its continuation. */
const growingMs = 4000;

/** Decides which cues are visible at a position. Has no clock of its own; positions only increase while text grows. */
export class CueSchedule {
  readonly #cues = new Map<string, ShownCue>();
  readonly #rolling = new RollingLines();

  /**
   * Schedules cues from `positionMs`, the playback position when they became known. Speech is recognised after it was heard, so players
   * near the live edge are past it; such cues are shown late, for their own duration or the reading time.
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
  // The last words arrived later than the first.
  const grownMs = isInterim ? growingMs : readingMs(text.slice(before?.text.length ?? 0));
  const toMs = Math.max(fromMs + shownMs, isGrown ? Math.max(positionMs, fromMs) + grownMs : 0);
  return { id, text, fromMs, toMs, isGrown };
}

function readingMs(text: string): number {
  const wide = text.match(/[\u2e80-\ua4cf\uac00-\ud7a3]/g)?.length ?? 0;
  const readMs = (text.length - wide) * readingMsPerSign + wide * readingMsPerWideSign;
  return Math.min(mostMs, Math.max(leastMs, readMs));
}
