import { parseWebVtt, type VttCue } from './parse-web-vtt.ts';

/** Where a recording of this server tells what was said in it. Undefined for any other file. */
export function transcriptAddress(media: string, page: URL): string | undefined {
  const address = URL.canParse(media, page) ? new URL(media, page) : undefined;
  if (address?.origin !== page.origin) return undefined;
  // Written out: the list of all calls is more than a player page may load.
  const path = /^(\/terraform\/v1\/hooks\/record\/hls\/[0-9a-f-]{36})(?:\.m3u8|\/index\.(?:m3u8|mp4))$/.exec(
    address.pathname,
  )?.[1];
  if (path === undefined) return undefined;
  address.pathname = `${path}/index.vtt`;
  return address.href;
}

interface Options {
  readonly video: HTMLVideoElement;
  readonly address: string;
  readonly label: string;
  /** Whether the viewer wanted subtitles the last time there were some. */
  readonly isOn: boolean;
  readonly onChoice: (isOn: boolean) => void;
}

/** A recording that grows is asked at most this often whether more was said. */
const againMs = 10_000;

/**
 * What was said in a recording, as a track of the browser's own player: it is in its menu, and on the screen when the video
 * fills it. Made by script: nothing has to be loaded by the video element itself.
 */
export class RecordedSubtitles {
  readonly #options: Options;
  readonly #closed = new AbortController();
  readonly #known = new Set<string>();
  #track: TextTrack | undefined;
  #isOn: boolean;
  #isAsking = false;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
    this.#isOn = options.isOn;
    const { signal } = this.#closed;
    // Known at the beginning, and from then on whenever the recording has grown.
    options.video.addEventListener('durationchange', () => void this.#ask(), { signal });
    options.video.textTracks?.addEventListener('change', () => this.#tellChoice(), { signal });
    void this.#ask();
  }

  close(): void {
    this.#closed.abort();
    if (!this.#track) return;
    // A track cannot be taken away from an element; one without cues that is disabled is not offered.
    this.#track.mode = 'disabled';
    for (const cue of [...(this.#track.cues ?? [])]) this.#track.removeCue(cue);
  }

  async #ask(): Promise<void> {
    const { signal } = this.#closed;
    const nowMs = performance.now();
    if (this.#isAsking || nowMs - this.#askedAtMs < againMs) return;
    this.#isAsking = true;
    this.#askedAtMs = nowMs;
    try {
      const answer = await fetch(this.#options.address, { signal });
      if (answer.ok) this.#add(parseWebVtt(await answer.text()));
    } catch {
      // The video plays all the same, and is asked again if it grows.
    } finally {
      this.#isAsking = false;
    }
  }

  #add(cues: readonly VttCue[]): void {
    if (this.#closed.signal.aborted || cues.length === 0) return;
    const track = this.#track ?? this.#begin();
    for (const { startSeconds, endSeconds, text } of cues) {
      const key = `${startSeconds} ${text}`;
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      track.addCue(new VTTCue(startSeconds, endSeconds, text));
    }
  }

  #begin(): TextTrack {
    const { video, label, isOn } = this.#options;
    const track = video.addTextTrack('subtitles', label);
    if (isOn) track.mode = 'showing';
    this.#track = track;
    return track;
  }

  /** Also comes when a track is made: that is nobody's choice. */
  #tellChoice(): void {
    const isOn = this.#track?.mode === 'showing';
    if (!this.#track || isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#options.onChoice(isOn);
  }
}
