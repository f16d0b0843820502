import { randomUUID } from 'node:crypto';
import type { MediaFrame } from '@weir/media';
import type { Cut, Cutter, Decision } from './segmenter.ts';

/** Cuts that wait for their frame; a variant that gets none of them is not fed. */
const mostCuts = 32;
/** Converted audio has other frames than its source: the first one after the cut counts, up to this much later. */
const audioToleranceMs = 1000;

/** Begins segments where the main variant of a stream does. It decides only the size at which a segment ends in any case. */
export class FollowingCutter implements Cutter {
  readonly longestGroupMs = undefined;
  readonly longestGroupEverMs = undefined;
  readonly #maxBytes: number;
  readonly #cuts: Cut[] = [];
  #id = '';
  #isOpen = false;
  #mayOpen = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get id(): string {
    return this.#id;
  }

  /** True while a cut was planned whose frame has not come. */
  get isWaiting(): boolean {
    return this.#cuts.length > 0;
  }

  plan(cut: Cut): void {
    this.#cuts.push(cut);
    if (this.#cuts.length > mostCuts) this.#cuts.shift();
  }

  /** The next frame opens a segment of its own: the main variant opened one before this variant was there. */
  openNext(): void {
    this.#mayOpen = true;
  }

  decide(frame: MediaFrame, openBytes: number): Decision {
    const index = this.#cuts.findIndex((cut) => isAt(cut, frame));
    const cut = this.#cuts[index];
    // Earlier cuts were at frames that this variant did not get.
    this.#cuts.splice(0, index + 1);
    const isNew = cut !== undefined || (this.#isOpen ? openBytes >= this.#maxBytes : this.#mayOpen);
    if (!isNew) return this.#isOpen ? 'join' : 'drop';
    this.#id = cut?.id ?? randomUUID();
    this.#mayOpen = false;
    const wasOpen = this.#isOpen;
    this.#isOpen = true;
    if (!wasOpen) return 'join';
    return cut?.isBreak ? 'break' : 'cut';
  }

  expectVideo(): void {
    // The main variant waits for video.
  }

  requestCut(): void {
    // The main variant decides.
  }

  restart(): void {
    this.#isOpen = false;
    this.#mayOpen = false;
    this.#cuts.length = 0;
  }
}

function isAt({ kind, dtsMs }: Cut, frame: MediaFrame): boolean {
  if (frame.kind !== kind) return false;
  const laterMs = frame.dtsMs - dtsMs;
  return kind === 'video' ? Math.abs(laterMs) < 1 : laterMs > -1 && laterMs < audioToleranceMs;
}
