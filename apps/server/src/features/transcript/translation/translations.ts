import { builtInBaseUrl, type TranscriptTranslation } from '@weir/contract';
import { placeText, type WirePlace } from '@weir/streams';
import type { Ai, ProviderChoice } from '../../../ai/ai.ts';
import { ProviderQueues as Places } from '../../../ai/provider-queues.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Events } from '../../../core/events.ts';
import type { Cue } from '../../../speech/cue.ts';
import { wrapLines } from '../../../speech/cue-lines.ts';
import type { SegmentTranscript, TranscriptIndex } from '../../../transcript-index/transcript-index.ts';
import { Translator } from './translator.ts';

interface Context {
  readonly ai: Pick<Ai, 'chat'>;
  readonly clock: Clock;
  readonly events: Pick<Events, 'on' | 'emit'>;
  readonly words: Pick<TranscriptIndex, 'keep'>;
  readonly settings: {
    readonly now: { readonly all: boolean; readonly lang: string; readonly translations: readonly string[] };
    readonly provider: ProviderChoice;
  };
}

/** The segment that a cue turned out to be of, once its text is final. */
type Settled = Omit<SegmentTranscript, 'kind' | 'cues' | 'language'>;

interface Line extends Cue {
  readonly epoch: string;
  readonly asked: Set<string>;
  /** By language. */
  readonly texts: Map<string, string>;
  settled: Settled | undefined;
}

interface Stream {
  readonly place: WirePlace;
  readonly lines: Map<string, Line>;
  readonly translators: Map<string, Translator<Line>>;
  readonly done: Map<string, number>;
}

/** More than the queues of a stream hold. */
const mostLines = 400;
const mostStreams = 8;
/** Limit over all streams and languages, half of a provider's, so that recognition never waits for translation. */
const mostQuestions = 2;

/** Translates speech into the chosen languages. No output waits for a translation. */
export class Translations {
  readonly #context: Context;
  readonly #streams = new Map<string, Stream>();
  readonly #places = new Places({ inFlight: mostQuestions, waiting: 64 });

  constructor(context: Context) {
    this.#context = context;
    context.events.on('cue:spoken', (cue) => this.want(cue, cue.epoch, [cue], { language: cue.language }));
    context.events.on('transcript:settled', ({ startMs, dateMs, segmentId, cues, ...at }) => {
      const { vhost, app, stream, epoch } = at;
      const settled = { vhost, app, stream, epoch, startMs, dateMs, segmentId };
      this.want(at, epoch, cues, { language: at.language, settled });
    });
  }

  /** Called after each change of the settings. */
  refresh(): void {
    const { all, translations } = this.#context.settings.now;
    for (const [key, { translators }] of this.#streams) {
      for (const [language, translator] of translators) {
        if (all && translations.includes(language)) translator.wake();
        else {
          translator.close();
          translators.delete(language);
        }
      }
      if (!all) this.#streams.delete(key);
    }
  }

  /** Requests missing translations of these texts; pending requests continue. */
  want(
    place: WirePlace,
    epoch: string,
    cues: readonly Cue[],
    { language = '', settled }: { language?: string; settled?: Settled } = {},
  ): void {
    const { all, translations } = this.#context.settings.now;
    if (!all || translations.length === 0) return;
    const stream = this.#stream(place);
    for (const cue of cues.filter(({ text }) => text.trim() !== '')) {
      const line = this.#line(stream, epoch, cue);
      line.settled = settled ?? line.settled;
      for (const to of translations) {
        if (line.texts.has(to)) this.#keep(line, to);
        else if (to === language) this.#store(stream, to, line, line.text);
        else if (!line.asked.has(to)) this.#translator(stream, to).add(line);
        line.asked.add(to);
      }
    }
  }

  /** The same cues in another language, as far as they are known. */
  cuesIn(language: string, place: WirePlace, epoch: string, cues: readonly Cue[]): Cue[] {
    const lines = this.#streams.get(placeText(place))?.lines;
    return cues.flatMap(({ startMs, endMs, text }) => {
      const line = lines?.get(keyOf(epoch, startMs));
      const translated = line?.text === text ? line.texts.get(language) : undefined;
      return translated === undefined ? [] : [{ startMs, endMs, text: translated }];
    });
  }

  /** For each language that is chosen; `place`: as `placeText` writes it. */
  report(place: string): TranscriptTranslation[] {
    const stream = this.#streams.get(place);
    return this.#context.settings.now.translations.map((language) => {
      const facts = stream?.translators.get(language)?.facts;
      return {
        language,
        done: stream?.done.get(language) ?? 0,
        skipped: facts?.skipped ?? 0,
        waiting: facts?.waiting ?? 0,
        delayMs: facts?.delayMs ?? null,
        cause: facts?.cause ?? null,
      };
    });
  }

  close(): void {
    for (const { translators } of this.#streams.values()) for (const one of translators.values()) one.close();
    this.#streams.clear();
  }

  #stream({ vhost, app, stream }: WirePlace): Stream {
    const place = { vhost, app, stream };
    const key = placeText(place);
    const found = this.#streams.get(key) ?? { place, lines: new Map(), translators: new Map(), done: new Map() };
    this.#streams.delete(key);
    this.#streams.set(key, found);
    const [oldest] = this.#streams;
    if (oldest && this.#streams.size > mostStreams) {
      for (const translator of oldest[1].translators.values()) translator.close();
      this.#streams.delete(oldest[0]);
    }
    return found;
  }

  /** A changed text is translated again. */
  #line({ lines }: Stream, epoch: string, { startMs, endMs, text }: Cue): Line {
    const key = keyOf(epoch, startMs);
    const known = lines.get(key);
    if (known?.text === text) return known;
    const line = { epoch, startMs, endMs, text, asked: new Set<string>(), texts: new Map(), settled: known?.settled };
    lines.delete(key);
    lines.set(key, line);
    for (const old of lines.keys()) if (lines.size > mostLines) lines.delete(old);
    return line;
  }

  #translator(stream: Stream, to: string): Translator<Line> {
    const { ai, clock } = this.#context;
    const found = stream.translators.get(to);
    if (found) return found;
    const onTranslated = (line: Line, text: string) => this.#store(stream, to, line, wrapLines(text).join('\n'));
    const made = new Translator({ ai, clock, to, onTranslated, places: this.#places, ask: () => this.#source() });
    stream.translators.set(to, made);
    return made;
  }

  #source() {
    const { now, provider } = this.#context.settings;
    return { provider: chatProvider(provider), from: now.lang };
  }

  #store({ place, done }: Stream, language: string, line: Line, text: string): void {
    if (line.texts.has(language)) return;
    line.texts.set(language, text);
    done.set(language, (done.get(language) ?? 0) + 1);
    const { epoch, startMs, endMs, text: source } = line;
    this.#context.events.emit('cue:translated', { ...place, epoch, startMs, endMs, text, source, language });
    this.#keep(line, language);
  }

  #keep({ settled, texts, startMs, endMs }: Line, language: string): void {
    const text = texts.get(language);
    if (!settled || text === undefined) return;
    this.#context.words.keep({
      ...settled,
      kind: `translation/${language}`,
      language,
      cues: [{ startMs, endMs, text }],
    });
  }
}

/** Built-in AI recognises, but cannot chat: then the global provider does. */
export function chatProvider(provider: ProviderChoice): ProviderChoice {
  return provider.baseURL === builtInBaseUrl ? { secretKey: '', baseURL: '', organization: '' } : provider;
}

function keyOf(epoch: string, startMs: number): string {
  return `${epoch}/${Math.round(startMs)}`;
}
