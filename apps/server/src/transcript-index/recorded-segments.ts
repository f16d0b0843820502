/** Where in which recording a segment begins. */
interface SegmentPlace {
  readonly recording: string;
  readonly atMs: number;
}

/** Text is final a minute after its segment at the latest; this is enough for that minute of many streams. */
const mostKnown = 10_000;

/** Segments that were recorded lately. */
export class RecordedSegments {
  readonly #places = new Map<string, SegmentPlace | 'gone'>();

  note(segment: string, place: SegmentPlace): void {
    this.#places.delete(segment);
    this.#places.set(segment, place);
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= mostKnown) return;
      this.#places.delete(oldest);
    }
  }

  /** `gone`: of a recording that was removed. Undefined: it is not recorded, or not yet. */
  find(segment: string): SegmentPlace | 'gone' | undefined {
    return this.#places.get(segment);
  }

  /** A recording was removed: what is still to come of it is not wanted either. */
  forget(recording: string): void {
    for (const [segment, place] of this.#places) {
      if (place !== 'gone' && place.recording === recording) this.#places.set(segment, 'gone');
    }
  }
}
