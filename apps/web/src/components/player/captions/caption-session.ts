import type { SubtitleTrack } from '@weir/streams';
import { type CaptionChoice, selectTrack } from './caption-choice.ts';
import type { CaptionEvent, CaptionFeed } from './cue-event-feed.ts';
import { CueSchedule, type ShownCue } from './cue-schedule.ts';

export interface CaptionState {
  readonly tracks: readonly SubtitleTrack[];
  /** Selected track; undefined if off. */
  readonly track: SubtitleTrack | undefined;
  readonly lines: readonly ShownCue[];
}

interface Options {
  readonly choice: CaptionChoice | undefined;
  /** Playback position on the stream's clock, given the live edge on the same clock. */
  readonly positionMs: (edgeMs: number) => number | undefined;
  readonly onChange: (state: CaptionState) => void;
  /** Must not emit events before it returns. */
  readonly open: (onEvent: (event: CaptionEvent) => void) => CaptionFeed;
}

export const noCaptions: CaptionState = { tracks: [], track: undefined, lines: [] };
const refreshMs = 100;

/** Subtitles of a playing stream: receives cues and shows them in sync with the video. */
export class CaptionSession {
  readonly #options: Options;
  readonly #feed: CaptionFeed;
  readonly #schedules = new Map<string, CueSchedule>();
  #choice: CaptionChoice | undefined;
  #state: CaptionState = noCaptions;
  #edge = { nowMs: 0, receivedAtMs: 0 };
  #refreshTimer: ReturnType<typeof setInterval> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#choice = options.choice;
    this.#feed = options.open((event) => this.#onEvent(event));
  }

  choose(choice: CaptionChoice): void {
    this.#choice = choice;
    const { track } = this.#state;
    this.#change(this.#state.tracks);
    // Viewers without subtitles hold no connection.
    if (!this.#state.track) this.#feed.suspend();
    else if (!track) this.#feed.resume();
  }

  close(): void {
    this.#feed.close();
    clearInterval(this.#refreshTimer);
  }

  #onEvent(event: CaptionEvent): void {
    if ('nowMs' in event) this.#edge = { nowMs: event.nowMs, receivedAtMs: performance.now() };
    if (event.name === 'tracks') {
      this.#schedules.clear();
      this.#change(event.tracks);
      if (!this.#state.track) this.#feed.suspend();
    } else if (event.name === 'end') {
      this.#schedules.clear();
    } else if ('cues' in event) {
      const schedule = this.#schedules.get(event.language) ?? new CueSchedule();
      this.#schedules.set(event.language, schedule);
      // Cues from before this connection are scheduled as if received on time, so that all viewers see the same.
      const agoMs = event.name === 'past' ? this.#edgeMs() - event.knownMs : 0;
      schedule.add(event.cues, this.#position() - agoMs);
    }
    this.#refresh();
  }

  #change(tracks: readonly SubtitleTrack[]): void {
    const track = selectTrack(this.#choice, tracks);
    this.#state = { tracks, track, lines: track ? this.#state.lines : [] };
    this.#options.onChange(this.#state);
    this.#feed.select?.(track?.language);
    clearInterval(this.#refreshTimer);
    if (track) this.#refreshTimer = setInterval(() => this.#refresh(), refreshMs);
  }

  #refresh(): void {
    const { track, lines } = this.#state;
    const shown = (track && this.#schedules.get(track.language)?.at(this.#position())) ?? [];
    const isSame =
      shown.length === lines.length && shown.every(({ text, id }, n) => text === lines[n]?.text && id === lines[n].id);
    if (isSame) return;
    this.#state = { ...this.#state, lines: shown };
    this.#options.onChange(this.#state);
  }

  #position(): number {
    const edgeMs = this.#edgeMs();
    return this.#options.positionMs(edgeMs) ?? edgeMs;
  }

  #edgeMs(): number {
    return this.#edge.nowMs + performance.now() - this.#edge.receivedAtMs;
  }
}
