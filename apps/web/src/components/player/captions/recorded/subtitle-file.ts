import { parseWebVtt, type VttCue } from './parse-web-vtt.ts';

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
export class SubtitleFile {
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
