import { limits, type TimelineHappening } from '@weir/contract';
import { placeText, type WirePlace } from '@weir/dialect';

interface EarlyNote {
  readonly what: TimelineHappening;
  readonly facts?: Readonly<Record<string, string>>;
  readonly numbers?: Readonly<Record<string, number>>;
  readonly atMs: number;
}

/** Anybody can make the list grow. */
const mostPlaces = 64;
const mostNotes = 10;

/** What happened to publishers before one was let in: few, for a short time and in memory only. */
export class PendingNotes {
  readonly #notes = new Map<string, EarlyNote[]>();

  add(place: WirePlace, note: EarlyNote): void {
    const key = placeText(place);
    const known = this.#notes.get(key) ?? [];
    this.#notes.delete(key);
    this.#notes.set(key, [...known, note].slice(-mostNotes));
    for (const oldest of this.#notes.keys()) {
      if (this.#notes.size <= mostPlaces) break;
      this.#notes.delete(oldest);
    }
  }

  take(place: WirePlace, nowMs: number): EarlyNote[] {
    const key = placeText(place);
    const notes = this.#notes.get(key) ?? [];
    this.#notes.delete(key);
    return notes.filter(({ atMs }) => nowMs - atMs < limits.publishAttemptsMs);
  }
}
