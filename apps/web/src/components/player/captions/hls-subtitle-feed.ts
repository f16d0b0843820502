import type { Cue, SubtitleTrack } from '@weir/streams';
import type Hls from 'hls.js';
import type { CuesParsedData, NonNativeTextTracksData } from 'hls.js';
import type { CaptionEvent, CaptionFeed } from './cue-event-feed.ts';

/** Bounds the cues kept per track. */
const mostKept = 300;

interface FoundTrack extends SubtitleTrack {
  /** Track id in cue events. */
  readonly key: string;
  /** Index in hls.js; undefined for captions inside the video, which need no selection. */
  readonly id: number | undefined;
}

/**
 * Subtitles of an HLS playlist as a caption feed, so that they look and toggle like our own. hls.js must not render them: it would load
 * `data:` URLs, which our content security policy blocks. Times are those of the video element.
 */
export class HlsSubtitleFeed {
  readonly #hls: Hls;
  readonly #tracks = new Map<string, FoundTrack>();
  readonly #cues = new Map<string, Cue[]>();
  #onEvent: ((event: CaptionEvent) => void) | undefined;

  constructor(library: typeof Hls, hls: Hls) {
    this.#hls = hls;
    hls.on(library.Events.NON_NATIVE_TEXT_TRACKS_FOUND, (_event, data) => this.#onTracksFound(data));
    hls.on(library.Events.CUES_PARSED, (_event, data) => this.#onCuesParsed(data));
  }

  /** Emits known tracks and cues first. */
  listen(onEvent: (event: CaptionEvent) => void): CaptionFeed {
    const begin = () => {
      this.#onEvent = onEvent;
      if (this.#tracks.size > 0) this.#emitTracks();
    };
    const stop = () => {
      if (this.#onEvent === onEvent) this.#onEvent = undefined;
    };
    queueMicrotask(begin);
    return {
      close: stop,
      // hls.js announces its tracks once, and an unselected track costs nothing.
      suspend: () => undefined,
      resume: () => undefined,
      select: (language) => this.#select(language),
    };
  }

  #onTracksFound({ tracks }: NonNativeTextTracksData): void {
    for (const { _id, label, default: isDefault, subtitleTrack } of tracks) {
      const key = subtitleTrack ? String(subtitleTrack.id) : (_id ?? label);
      const language = subtitleTrack?.lang || label || key;
      const isTaken = [...this.#tracks.values()].some((track) => track.language === language && track.key !== key);
      this.#tracks.set(key, {
        key,
        id: subtitleTrack?.id,
        language: isTaken ? `${language}-x-${key}` : language,
        name: label,
        isDefault,
      });
    }
    this.#emitTracks();
  }

  #emitTracks(): void {
    const tracks = [...this.#tracks.values()];
    this.#onEvent?.({ name: 'tracks', tracks });
    for (const { key, language } of tracks) this.#emitCues(language, this.#cues.get(key) ?? []);
  }

  #onCuesParsed({ cues, track, subtitleTrack }: CuesParsedData): void {
    const key = subtitleTrack ? String(subtitleTrack.id) : track;
    const parsed = (cues as VTTCue[]).map(({ id, startTime, endTime, text }) => ({
      id: id || `${startTime} ${text}`,
      startMs: startTime * 1000,
      endMs: endTime * 1000,
      text: stripMarkup(text),
    }));
    this.#cues.set(key, [...(this.#cues.get(key) ?? []), ...parsed].slice(-mostKept));
    const language = this.#tracks.get(key)?.language;
    if (language !== undefined) this.#emitCues(language, parsed);
  }

  #emitCues(language: string, cues: readonly Cue[]): void {
    // Cues are known before they are spoken, so each is shown exactly on time.
    if (cues.length > 0) this.#onEvent?.({ name: 'past', knownMs: Number.NEGATIVE_INFINITY, language, cues });
  }

  #select(language: string | undefined): void {
    const id = [...this.#tracks.values()].find((track) => track.language === language)?.id ?? -1;
    if (this.#hls.subtitleTrack !== id) this.#hls.subtitleTrack = id;
  }
}

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', lrm: '\u200e', rlm: '\u200f' };

/** WebVTT text without tags and entities. */
export function stripMarkup(text: string): string {
  return text.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_all, name: string) => signs[name] ?? '');
}
