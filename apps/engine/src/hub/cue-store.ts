import type { Cue } from '@weir/streams';

/** A cue, and where the stream was when it came. */
export interface KeptCue extends Cue {
  readonly arrivedMs: number;
}

/** Longer than any playlist of ours goes back. */
const keptMs = 300_000;
const mostKept = 1000;
const mostBytes = 512 * 1024;
/** Cost of a cue beside its text. */
const objectBytes = 200;
/** Words are said before they are written down. What claims to come later was meant for another run of the stream. */
const aheadMs = 5000;

/** The newest cues of one track, in the order they came. */
export class CueStore {
  readonly #cues = new Map<string, KeptCue>();
  #bytes = 0;
  #version = 0;

  /** Changes with each update. */
  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#cues.size;
  }

  all(): IterableIterator<KeptCue> {
    return this.#cues.values();
  }

  /** Adds, replaces and takes back. Returns what came of it: cues of other runs are not in it. */
  add(cues: readonly Cue[], nowMs: number): Cue[] {
    const accepted = cues.filter(({ startMs }) => startMs <= nowMs + aheadMs && startMs >= nowMs - keptMs);
    for (const cue of accepted) {
      const before = this.#remove(cue.id);
      if (cue.text === '') continue;
      // Already delivered to readers of segments: its arrival decides its segment.
      const isKnown = before?.isInterim !== true && before?.startMs === cue.startMs;
      this.#cues.set(cue.id, { ...cue, arrivedMs: isKnown ? before.arrivedMs : nowMs });
      this.#bytes += costOf(cue);
    }
    this.#removeOldest(nowMs);
    if (accepted.length > 0) this.#version++;
    return accepted;
  }

  #removeOldest(nowMs: number): void {
    for (const cue of this.#cues.values()) {
      const isTooMuch = this.#cues.size > mostKept || this.#bytes > mostBytes;
      if (!isTooMuch && cue.endMs >= nowMs - keptMs) return;
      this.#remove(cue.id);
    }
  }

  #remove(id: string): KeptCue | undefined {
    const cue = this.#cues.get(id);
    if (!cue) return undefined;
    this.#cues.delete(id);
    this.#bytes -= costOf(cue);
    return cue;
  }
}

function costOf({ id, text }: Cue): number {
  return objectBytes + 2 * (id.length + text.length);
}
