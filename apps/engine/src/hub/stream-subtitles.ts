import type { Cue, SubtitleTrack } from '@weir/streams';
import { CueStore } from './cue-store.ts';

export interface SubtitleListener {
  onTracks(tracks: readonly SubtitleTrack[]): void;
  onCues(language: string, cues: readonly Cue[]): void;
  /** The stream is over. */
  onEnd(): void;
}

/** Limit of languages. Players request switched-off ones for a while. */
const mostLanguages = 32;

/** Subtitles of one stream by language. They live as long as the stream's clock. */
export class StreamSubtitles {
  readonly #nowMs: () => number;
  /** Includes switched-off languages. */
  readonly #shelves = new Map<string, CueStore>();
  readonly #listeners = new Set<SubtitleListener>();
  #tracks: readonly SubtitleTrack[] = [];

  /** `nowMs`: how far the stream has come on its clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Empty when subtitles are off. */
  get tracks(): readonly SubtitleTrack[] {
    return this.#tracks;
  }

  get nowMs(): number {
    return this.#nowMs();
  }

  /** The cues of a track there is or was. */
  shelf(language: string): CueStore | undefined {
    return this.#shelves.get(language);
  }

  /** Sets the tracks; cues of a track that stays are kept. */
  setTracks(tracks: readonly SubtitleTrack[]): void {
    if (isSame(tracks, this.#tracks)) return;
    const names = new Set(tracks.map(({ language }) => language));
    for (const { language } of this.#tracks) if (!names.has(language)) this.#shelves.set(language, new CueStore());
    for (const language of names) if (!this.#shelves.has(language)) this.#shelves.set(language, new CueStore());
    for (const language of this.#shelves.keys()) {
      if (this.#shelves.size <= mostLanguages) break;
      if (!names.has(language)) this.#shelves.delete(language);
    }
    this.#tracks = tracks;
    for (const listener of this.#listeners) listener.onTracks(tracks);
  }

  /** False when there is no such track. */
  add(language: string, cues: readonly Cue[]): boolean {
    const shelf = this.#shelves.get(language);
    if (!shelf || !this.#tracks.some((track) => track.language === language)) return false;
    const accepted = shelf.add(cues, this.#nowMs());
    if (accepted.length > 0) for (const listener of this.#listeners) listener.onCues(language, accepted);
    return true;
  }

  /** Returns how to hear no more. */
  listen(listener: SubtitleListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener.onEnd();
  }
}

function isSame(some: readonly SubtitleTrack[], others: readonly SubtitleTrack[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
