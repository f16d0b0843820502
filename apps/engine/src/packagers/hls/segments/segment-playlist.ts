import type { Prepared } from '../../../http/prepared.ts';
import { type MediaPlaylist, mediaPlaylist } from '../playlist.ts';
import { preparedPlaylist } from '../prepared-pieces.ts';
import type { PieceTimes } from '../vtt-piece.ts';
import { SegmentStore, type SegmentStoreOptions, type StoredSegment } from './segment-store.ts';
import type { TargetDuration } from './target-duration.ts';

interface Options extends SegmentStoreOptions {
  readonly target: TargetDuration;
  /** True for a playlist that may have gaps. */
  readonly hasGaps?: boolean;
}

/** Complete segments of a variant, and the playlist of them. */
export class SegmentPlaylist {
  readonly #options: Options;
  readonly #store: SegmentStore;
  #playlist: Prepared | undefined;
  #caching = '';

  constructor(options: Options) {
    this.#options = options;
    this.#store = new SegmentStore(options);
  }

  get isEmpty(): boolean {
    return this.#store.window.segments.length === 0;
  }

  /** The playlist, built once per segment and caching rule. Undefined before the first segment. */
  text(caching: string): Prepared | undefined {
    if (this.isEmpty) return undefined;
    if (!this.#playlist || this.#caching !== caching) {
      this.#playlist = preparedPlaylist(Buffer.from(mediaPlaylist(this.view)), caching);
      this.#caching = caching;
    }
    return this.#playlist;
  }

  get view(): MediaPlaylist {
    const { target, hasGaps = false } = this.#options;
    const { segments, discontinuitySequence } = this.#store.window;
    return { segments, discontinuitySequence, targetSeconds: target.seconds ?? 1, hasGaps };
  }

  /** Start and end of a segment on the stream's clock; undefined if it is no longer in memory. */
  timesOf(sequence: number): PieceTimes | undefined {
    const segment = this.#store.find(sequence);
    return segment && { startMs: segment.startMs, endMs: segment.startMs + segment.durationMs };
  }

  get rates(): SegmentStore['rates'] {
    return this.#store.rates;
  }

  /** End of the newest segment on the stream's clock. */
  get endMs(): number {
    const newest = this.#store.window.segments.at(-1);
    return newest ? newest.startMs + newest.durationMs : 0;
  }

  get targetDurationMs(): number {
    return 1000 * (this.#options.target.seconds ?? 1);
  }

  /** Sets the number of discontinuities before the first segment, which other variants of the stream have counted. */
  beginAfter(discontinuities: number): void {
    this.#store.window.beginAfter(discontinuities);
  }

  /** `roomy`: the bytes of the segment, with room for the head of an answer before them; undefined for a gap. */
  add(segment: StoredSegment, roomy: Buffer | undefined): void {
    this.#store.add(segment, roomy, this.targetDurationMs);
    this.#playlist = undefined;
  }

  clear(): void {
    this.#store.clear();
    this.#playlist = undefined;
  }
}
