import type { SubtitleTrack } from '@weir/dialect';
import { type CaptionChoice, selectTrack } from './caption-choice.ts';
import type { CaptionEvent, CaptionFeed } from './cue-feed.ts';
import { CueSchedule, type ShownCue } from './cue-schedule.ts';

export interface CaptionState {
  readonly tracks: readonly SubtitleTrack[];
  /** What is shown; undefined while nothing is. */
  readonly track: SubtitleTrack | undefined;
  readonly lines: readonly ShownCue[];
}

interface Options {
  readonly choice: CaptionChoice | undefined;
  /** Where the player is on the stream's clock, when the newest there is of the stream is at `edgeMs`. */
  readonly positionMs: (edgeMs: number) => number | undefined;
  readonly onChange: (state: CaptionState) => void;
  /** Nothing is told before it has answered. */
  readonly open: (onEvent: (event: CaptionEvent) => void) => CaptionFeed;
}

export const noCaptions: CaptionState = { tracks: [], track: undefined, lines: [] };
const refreshMs = 100;

/** The subtitles of one stream while it plays: hears what is said, and puts on the screen what belongs to the picture. */
export class CaptionSession {
  readonly #options: Options;
  readonly #feed: CaptionFeed;
  readonly #boards = new Map<string, CueSchedule>();
  #choice: CaptionChoice | undefined;
  #state: CaptionState = noCaptions;
  #edge = { nowMs: 0, heardAtMs: 0 };
  #looking: ReturnType<typeof setInterval> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#choice = options.choice;
    this.#feed = options.open((event) => this.#hear(event));
  }

  choose(choice: CaptionChoice): void {
    this.#choice = choice;
    const { track } = this.#state;
    this.#change(this.#state.tracks);
    // Nobody reads, nobody listens: a crowd that does not want subtitles costs no connections.
    if (!this.#state.track) this.#feed.suspend();
    else if (!track) this.#feed.resume();
  }

  close(): void {
    this.#feed.close();
    clearInterval(this.#looking);
  }

  #hear(event: CaptionEvent): void {
    if ('nowMs' in event) this.#edge = { nowMs: event.nowMs, heardAtMs: performance.now() };
    if (event.name === 'tracks') {
      this.#boards.clear();
      this.#change(event.tracks);
      if (!this.#state.track) this.#feed.suspend();
    } else if (event.name === 'end') {
      this.#boards.clear();
    } else if ('cues' in event) {
      const board = this.#boards.get(event.language) ?? new CueSchedule();
      this.#boards.set(event.language, board);
      // Who comes, or comes back, sees what all others see: words that became known a moment ago still stand there.
      const agoMs = event.name === 'past' ? this.#edgeMs() - event.knownMs : 0;
      board.add(event.cues, this.#position() - agoMs);
    }
    this.#look();
  }

  #change(tracks: readonly SubtitleTrack[]): void {
    const track = selectTrack(this.#choice, tracks);
    this.#state = { tracks, track, lines: track ? this.#state.lines : [] };
    this.#options.onChange(this.#state);
    this.#feed.select?.(track?.language);
    clearInterval(this.#looking);
    if (track) this.#looking = setInterval(() => this.#look(), refreshMs);
  }

  #look(): void {
    const { track, lines } = this.#state;
    const shown = (track && this.#boards.get(track.language)?.at(this.#position())) ?? [];
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
    return this.#edge.nowMs + performance.now() - this.#edge.heardAtMs;
  }
}
