import type { Ai } from '../../ai/ai.ts';
import { writeWav } from '../../ai/wav.ts';
import { withDeadline } from '../../ai/with-deadline.ts';
import type { Clock } from '../../core/clock.ts';
import type { Cue } from '../cue.ts';
import { cleanText, isDoubtful } from '../doubtful-text.ts';
import type { SpeechAsk } from '../recogniser.ts';
import type { InterimPace } from './interim-pace.ts';
import { SpokenPages } from './spoken-pages.ts';

/** Screens that show interim text. */
export interface InterimOutput {
  /** True while a viewer shows it. */
  isRead(): boolean;
  /** Pages of unfinished speech in their current form; an empty one is withdrawn. */
  onInterim(epoch: string, pages: readonly Cue[]): void;
}

interface Context {
  readonly ai: Pick<Ai, 'transcribe' | 'describe'>;
  readonly clock: Clock;
  readonly ask: () => SpeechAsk;
  readonly pace: InterimPace;
  readonly interim?: InterimOutput | undefined;
}

interface Sound {
  readonly endMs: number;
  readonly pcm: () => Uint8Array;
}

/** Less says too little; and as often the text may grow. */
const stepMs = 1000;
/** Later answers are useless: the utterance is over by then. */
const answerMs = 4000;

/** Interim text of an utterance that is still being spoken. */
export class OpenUtterance {
  readonly epoch: string;
  /** Start on the stream's clock, without later corrections of that clock. */
  readonly startMs: number;
  readonly spokenFromMs: number;
  readonly pages = new SpokenPages();
  readonly #context: Context;
  readonly #over = new AbortController();
  #lookedMs: number;
  #isAsked = false;
  /** By where they begin. */
  readonly #told = new Map<number, string>();

  /** `spokenFromMs`: where the voice begins. */
  constructor(context: Context, epoch: string, { startMs, spokenFromMs }: { startMs: number; spokenFromMs: number }) {
    this.#context = context;
    this.epoch = epoch;
    this.startMs = startMs;
    this.spokenFromMs = spokenFromMs;
    this.#lookedMs = startMs;
  }

  /** Adds audio, and recognises it when there is enough of it and time. */
  hear(sound: Sound): void {
    if (this.#isAsked || this.#over.signal.aborted || sound.endMs - this.#lookedMs < stepMs) return;
    if (!this.#context.interim?.isRead() || !this.#context.pace.isFree) return;
    this.#lookedMs = sound.endMs;
    this.#isAsked = true;
    void this.#recognise(sound).finally(() => {
      this.#isAsked = false;
    });
  }

  /** Pending answers are dropped. */
  end(): void {
    this.#over.abort();
  }

  /** Pages that are on screens and not among these. */
  left(cues: readonly Cue[]): Cue[] {
    const kept = new Set(cues.map(({ startMs }) => startMs));
    const gone = [...this.#told.keys()].filter((startMs) => !kept.has(startMs));
    return gone.map((startMs) => ({ startMs, endMs: startMs + 1, text: '' }));
  }

  async #recognise({ endMs, pcm }: Sound): Promise<void> {
    const text = await this.#textOf(pcm()).catch(() => undefined);
    if (text === undefined || this.#over.signal.aborted) return;
    if (text === '' || isDoubtful(text, (endMs - this.startMs) / 1000)) return;
    const pages = this.pages.push(text, { startMs: this.spokenFromMs, endMs });
    const changed = pages.filter((page) => this.#told.get(page.startMs) !== page.text);
    for (const page of changed) this.#told.set(page.startMs, page.text);
    if (changed.length > 0) this.#context.interim?.onInterim(this.epoch, changed);
  }

  /** Only built-in AI: other providers charge by the second and would hear everything several times. */
  async #textOf(pcm: Uint8Array): Promise<string | undefined> {
    const { ai, ask, pace, clock } = this.#context;
    const { signal: over } = this.#over;
    const end = pace.begin();
    try {
      const { provider, language } = ask();
      if ((await ai.describe('transcribe', provider, language)).by !== 'built-in') return undefined;
      const sound = { audio: writeWav(pcm), seconds: pcm.length / 32_000 };
      const { text } = await withDeadline({ clock, ms: answerMs, signal: over }, (signal) =>
        ai.transcribe({ feature: 'transcript', provider, language, signal, ...sound }),
      );
      return cleanText(text);
    } catch (error) {
      if (!over.aborted) pace.fail();
      throw error;
    } finally {
      end();
    }
  }
}
