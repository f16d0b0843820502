import { languageName } from '../../../lib/language-name.ts';
import type { CaptionChoice } from './caption-choice.ts';

interface VttCue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Raw cue text with WebVTT tags and entities. */
  readonly text: string;
}

/** Far above the cues of any real recording. */
const mostCues = 50_000;
const times = /^((?:\d{2,}:)?\d{2}:\d{2}\.\d{3})[ \t]+-->[ \t]+((?:\d{2,}:)?\d{2}:\d{2}\.\d{3})/;

/** Parses the cues of a WebVTT file; settings and invalid blocks are skipped. */
export function parseWebVtt(file: string): VttCue[] {
  const cues: VttCue[] = [];
  for (const block of file.replace(/\r\n?/g, '\n').split(/\n{2,}/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => times.test(line));
    const [, start, end] = times.exec(lines[at] ?? '') ?? [];
    const text = lines
      .slice(at + 1)
      .join('\n')
      .trim();
    if (start === undefined || end === undefined || text === '') continue;
    cues.push({ startSeconds: parseSeconds(start), endSeconds: parseSeconds(end), text });
    if (cues.length === mostCues) break;
  }
  return cues;
}

function parseSeconds(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

interface NewCues {
  /** Cues that the previous load did not have. */
  readonly cues: readonly VttCue[];
  /** Empty if unknown. */
  readonly language: string;
  readonly translations: readonly string[];
}

/** Poll interval while a recording grows. */
const pollMs = 10_000;
const mostTranslations = 20;

/** Transcript of a recording in one language, reloaded as it grows. */
class SubtitleFile {
  readonly #address: string;
  readonly #signal: AbortSignal;
  readonly #known = new Set<string>();
  #isLoading = false;
  #loadedAtMs = Number.NEGATIVE_INFINITY;

  constructor(address: string, signal: AbortSignal) {
    this.#address = address;
    this.#signal = signal;
  }

  /** Undefined if too early or failed; playback does not depend on it. */
  async more(): Promise<NewCues | undefined> {
    const nowMs = performance.now();
    if (this.#isLoading || nowMs - this.#loadedAtMs < pollMs) return undefined;
    this.#isLoading = true;
    this.#loadedAtMs = nowMs;
    try {
      const answer = await fetch(this.#address, { signal: this.#signal });
      if (!answer.ok) return undefined;
      const cues = parseWebVtt(await answer.text()).filter((cue) => this.#isNew(cue));
      if (this.#signal.aborted) return undefined;
      return { cues, language: answer.headers.get('content-language') ?? '', translations: parseTranslations(answer) };
    } catch {
      return undefined;
    } finally {
      this.#isLoading = false;
    }
  }

  #isNew({ startSeconds, text }: VttCue): boolean {
    const before = this.#known.size;
    return this.#known.add(`${startSeconds} ${text}`).size > before;
  }
}

/** `Link: <?lang=de>; rel="alternate"; hreflang="de", …` */
function parseTranslations({ headers }: Response): string[] {
  const found = (headers.get('link') ?? '').matchAll(/hreflang="([\w-]{2,35})"/g);
  return [...found].map(([, language = '']) => language).slice(0, mostTranslations);
}

/** Transcript URL of a recording on this server; undefined for other media. */
export function findTranscriptAddress(media: string, page: URL): string | undefined {
  const address = URL.canParse(media, page) ? new URL(media, page) : undefined;
  if (address?.origin !== page.origin) return undefined;
  // Literal path: importing the contract would be too large for a player page.
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
  /** Label of a track of unknown language. */
  readonly label: string;
  /** Viewer's stored preference. */
  readonly choice: CaptionChoice | undefined;
  readonly onChoice: (choice: { readonly isOn: boolean; readonly language?: string }) => void;
}

interface OfferedTrack {
  readonly language: string;
  readonly file: SubtitleFile;
  readonly track: TextTrack;
}

/**
 * Transcripts as native text tracks, so that they appear in the browser's menu and in full screen. Tracks are added by script: the video
 * element loads nothing itself.
 */
export class RecordedSubtitles {
  readonly #options: Options;
  readonly #closed = new AbortController();
  readonly #original: SubtitleFile;
  /** Original first; translations are loaded when selected. */
  #offered: readonly OfferedTrack[] = [];
  #shown: OfferedTrack | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { signal } = this.#closed;
    this.#original = new SubtitleFile(options.address, signal);
    // Fires at the start and whenever the recording has grown.
    options.video.addEventListener('durationchange', () => void this.#load(), { signal });
    options.video.textTracks?.addEventListener('change', () => this.#reportChoice(), { signal });
    void this.#load();
  }

  close(): void {
    this.#closed.abort();
    for (const { track } of this.#offered) {
      // Tracks cannot be removed from an element; a disabled one without cues is not offered.
      track.mode = 'disabled';
      for (const cue of [...(track.cues ?? [])]) track.removeCue(cue);
    }
  }

  async #load(): Promise<void> {
    const news = await this.#original.more();
    if (news && news.cues.length > 0) {
      if (this.#offered.length === 0) this.#offer(news.language, news.translations);
      addCues(this.#offered[0], news.cues);
    }
    const shown = this.#shown;
    if (shown && shown.file !== this.#original) addCues(shown, (await shown.file.more())?.cues);
  }

  #offer(original: string, translations: readonly string[]): void {
    const { video, address, label, choice } = this.#options;
    const createTrack = (language: string, file: SubtitleFile): OfferedTrack => {
      const track = video.addTextTrack(
        'subtitles',
        language === '' ? label : languageName(language),
        language || 'und',
      );
      return { language, file, track };
    };
    this.#offered = [
      createTrack(original, this.#original),
      ...translations.map((language) =>
        createTrack(language, new SubtitleFile(withLanguage(address, language), this.#closed.signal)),
      ),
    ];
    if (!choice?.isOn) return;
    this.#shown = this.#offered.find(({ language }) => language === choice.language) ?? this.#offered[0];
    if (this.#shown) this.#shown.track.mode = 'showing';
  }

  /** Fires for added tracks as well, which is not a choice of the viewer. */
  #reportChoice(): void {
    const shown = this.#offered.find(({ track }) => track.mode === 'showing');
    if (shown === this.#shown || this.#offered.length === 0) return;
    this.#shown = shown;
    this.#options.onChoice(shown?.language ? { isOn: true, language: shown.language } : { isOn: shown !== undefined });
    void this.#load();
  }
}

function addCues(offered: OfferedTrack | undefined, cues: readonly VttCue[] = []): void {
  for (const { startSeconds, endSeconds, text } of cues)
    offered?.track.addCue(new VTTCue(startSeconds, endSeconds, text));
}

function withLanguage(address: string, language: string): string {
  const url = new URL(address, window.location.href);
  url.searchParams.set('lang', language);
  return url.href;
}
