import { type Cue, decodeCues, decodeSubtitleTracks, type SubtitleTrack } from '@weir/streams';

export type CaptionEvent =
  | { readonly name: 'tracks'; readonly tracks: readonly SubtitleTrack[] }
  | { readonly name: 'cues'; readonly nowMs: number; readonly language: string; readonly cues: readonly Cue[] }
  | { readonly name: 'past'; readonly knownMs: number; readonly language: string; readonly cues: readonly Cue[] }
  | { readonly name: 'time' | 'end'; readonly nowMs: number };

/** Source of caption events until closed. */
export interface CaptionFeed {
  close(): void;
  /** Stops receiving while no track is selected. */
  suspend(): void;
  resume(): void;
  /** Selects the language to load, for feeds that deliver one at a time. */
  select?(language: string | undefined): void;
}

const names = ['tracks', 'cues', 'past', 'time', 'end'] as const;
/** Subtitles may be switched on later, and a refused viewer may be admitted. */
const againMs = 60_000;

/** Undefined for invalid events. */
export function parseCaptionEvent(name: (typeof names)[number], text: string): CaptionEvent | undefined {
  try {
    const data = JSON.parse(text);
    if (name === 'tracks') return { name, tracks: decodeSubtitleTracks(data) };
    const [nowMs, knownMs] = [Number(data.nowMs), Number(data.knownMs)];
    if (!Number.isFinite(name === 'past' ? knownMs : nowMs)) return undefined;
    if (name === 'time' || name === 'end') return { name, nowMs };
    const said = { language: String(data.language), cues: decodeCues(data) };
    return name === 'past' ? { name, knownMs, ...said } : { name, nowMs, ...said };
  } catch {
    return undefined;
  }
}

/** Caption feed over server-sent events. Retries from time to time while the stream has none. */
export class CueEventFeed implements CaptionFeed {
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

  resume(): void {
    this.close();
    this.#open();
  }

  /** Disconnects and checks again later whether there are subtitles. */
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
    // Browsers reconnect after a network error, but treat a response that is no event stream as final.
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED && this.#source === source) this.suspend();
    });
  }
}
