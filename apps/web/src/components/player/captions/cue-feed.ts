import { type Cue, parseCues, parseSubtitleTracks, type SubtitleTrack } from '@weir/dialect';

/** What a stream tells of its subtitles. */
export type CaptionEvent =
  | { readonly name: 'tracks'; readonly tracks: readonly SubtitleTrack[] }
  | { readonly name: 'cues'; readonly nowMs: number; readonly language: string; readonly cues: readonly Cue[] }
  | { readonly name: 'past'; readonly knownMs: number; readonly language: string; readonly cues: readonly Cue[] }
  | { readonly name: 'time' | 'end'; readonly nowMs: number };

/** Somebody who tells them, until closed. */
export interface CaptionFeed {
  close(): void;
  /** Nobody reads for now. */
  suspend(): void;
  resume(): void;
  /** Which language is read; undefined: none. For who tells one at a time. */
  select?(language: string | undefined): void;
}

const names = ['tracks', 'cues', 'past', 'time', 'end'] as const;
/** A stream without subtitles may get some, and one that was refused may be let in. */
const againMs = 60_000;

/** Undefined for what is none. */
export function parseCaptionEvent(name: (typeof names)[number], text: string): CaptionEvent | undefined {
  try {
    const data = JSON.parse(text);
    if (name === 'tracks') return { name, tracks: parseSubtitleTracks(data.tracks) };
    const [nowMs, knownMs] = [Number(data.nowMs), Number(data.knownMs)];
    if (!Number.isFinite(name === 'past' ? knownMs : nowMs)) return undefined;
    if (name === 'time' || name === 'end') return { name, nowMs };
    const said = { language: String(data.language), cues: parseCues(data.cues) };
    return name === 'past' ? { name, knownMs, ...said } : { name, nowMs, ...said };
  } catch {
    return undefined;
  }
}

/** Listens until closed. Where there is nothing to hear it asks again from time to time. */
export class CueFeed implements CaptionFeed {
  readonly #address: string;
  readonly #onEvent: (event: CaptionEvent) => void;
  #source: EventSource | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(address: string, onEvent: (event: CaptionEvent) => void) {
    this.#address = address;
    this.#onEvent = onEvent;
    this.#open();
  }

  close(): void {
    clearTimeout(this.#again);
    this.#source?.close();
  }

  /** Listens again, now. */
  resume(): void {
    this.close();
    this.#open();
  }

  /** Hangs up, and looks again later: for who only wants to know whether there is something to hear. */
  suspend(): void {
    this.close();
    this.#again = setTimeout(() => this.#open(), againMs);
  }

  #open(): void {
    const source = new EventSource(this.#address);
    this.#source = source;
    for (const name of names) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const event = parseCaptionEvent(name, data);
        if (event) this.#onEvent(event);
        if (name === 'end') this.suspend();
      });
    }
    // A broken connection is opened again by the browser; an answer that is no feed is final to it.
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED && this.#source === source) this.suspend();
    });
  }
}
