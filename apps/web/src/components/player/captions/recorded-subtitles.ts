import { languageName } from '../../../lib/language-name.ts';
import type { CaptionChoice } from './caption-choice.ts';

interface VttCue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** As written: with the marks and escapes of WebVTT. */
  readonly text: string;
}

/** More than this is no transcript of one recording. */
const mostCues = 50_000;
const times = /^((?:\d{2,}:)?\d{2}:\d{2}\.\d{3})[ \t]+-->[ \t]+((?:\d{2,}:)?\d{2}:\d{2}\.\d{3})/;

/** Cues of a WebVTT file, without their settings. What is no cue is passed over. */
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

/** What became known of a file. */
interface NewCues {
  /** Those that were not in it the last time. */
  readonly cues: readonly VttCue[];
  /** Empty: nobody knows. */
  readonly language: string;
  /** Languages of translations. */
  readonly translations: readonly string[];
}

/** A recording that grows is asked at most this often whether more was said. */
const pollMs = 10_000;
const mostTranslations = 20;

/** What was said in a recording, in one language; asked again as it grows. */
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

  /** Undefined where nobody was asked or nobody answered: the video plays all the same. */
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

/** Where a recording of this server tells what was said in it. Undefined for any other file. */
export function findTranscriptAddress(media: string, page: URL): string | undefined {
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
  /** Of a track whose language nobody knows. */
  readonly label: string;
  /** What the viewer wanted the last time there were subtitles. */
  readonly choice: CaptionChoice | undefined;
  readonly onChoice: (choice: { readonly isOn: boolean; readonly language?: string }) => void;
}

interface OfferedTrack {
  readonly language: string;
  readonly file: SubtitleFile;
  readonly track: TextTrack;
}

/**
 * What was said in a recording, as tracks of the browser's own player: they are in its menu, and on the screen when the video
 * fills it. Made by script: nothing has to be loaded by the video element itself.
 */
export class RecordedSubtitles {
  readonly #options: Options;
  readonly #closed = new AbortController();
  readonly #original: SubtitleFile;
  /** The original first; translations are fetched when somebody reads them. */
  #offered: readonly OfferedTrack[] = [];
  #shown: OfferedTrack | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { signal } = this.#closed;
    this.#original = new SubtitleFile(options.address, signal);
    // Known at the beginning, and from then on whenever the recording has grown.
    options.video.addEventListener('durationchange', () => void this.#load(), { signal });
    options.video.textTracks?.addEventListener('change', () => this.#reportChoice(), { signal });
    void this.#load();
  }

  close(): void {
    this.#closed.abort();
    for (const { track } of this.#offered) {
      // A track cannot be taken away from an element; one without cues that is disabled is not offered.
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

  /** Also comes when a track is createTrack: that is nobody's choice. */
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
