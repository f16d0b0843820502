import type { Cue } from '@weir/streams';

/** Cue with the stream's time at its arrival. */
export interface KeptCue extends Cue {
  readonly arrivedMs: number;
}

/** Exceeds the length of our playlists. */
const keptMs = 300_000;
const mostKept = 1000;
const mostBytes = 512 * 1024;
/** Cost of a cue beside its text. */
const objectBytes = 200;
/** Speech precedes its text: a cue from the future belongs to an earlier run of the stream. */
const aheadMs = 5000;

/** Newest cues of one track, in the order of arrival. */
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

  /** Adds, replaces and removes cues. Returns the effective changes, without cues of other runs. */
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
