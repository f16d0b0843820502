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
const leastMs = 1000;

/** Text that grows while it is said takes two lines: a third pushes the first one out, which does not come back. */
export class RollingLines {
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
        if (!line || positionMs - line.sinceMs < leastMs) return;
        grown.left += 1;
      }
      if (!grown) return;
    }
  }
}
