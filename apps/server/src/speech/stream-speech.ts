import type { AiCause } from '@weir/contract';
import { SampleRing } from '@weir/media/sample-ring';
import type { Ai, Transcription } from '../ai/ai.ts';
import type { Clock } from '../core/clock.ts';
import { type AudioBlock, AudioBlocks } from './audio-blocks.ts';
import type { Cue, Heard } from './cue.ts';
import { splitCue } from './cue-lines.ts';
import { cleanText, isDoubtful } from './doubtful-text.ts';
import type { InterimPace } from './interim/interim-pace.ts';
import { type InterimOutput, OpenUtterance } from './interim/open-utterance.ts';
import { joinLines } from './join-texts.ts';
import type { HeardSpans } from './missed/heard-spans.ts';
import { Recogniser, type SpeechAsk, type Utterance } from './recogniser.ts';
import type { StartVoiceActivity, VoiceActivity } from './voice-activity.ts';

interface Context {
  readonly ai: Pick<Ai, 'transcribe' | 'describe'>;
  readonly clock: Clock;
  readonly activity: StartVoiceActivity;
  readonly ask: () => SpeechAsk;
  /** Spans transcribed before; none by default. */
  readonly heard?: HeardSpans;
  /** Pace shared by all streams. */
  readonly pace: InterimPace;
  /** Receives the final text for `onHeard`; optional. */
  readonly interim?: InterimOutput;
  /** In the order of speech, except for late results. */
  readonly onHeard: (heard: Heard) => void;
}

interface SpeechFacts {
  /** Median delay from the end of speech to its text; undefined before the first text. */
  readonly delayMs: number | undefined;
  /** Utterances not yet sent to a provider, because too many waited. */
  readonly dropped: number;
  /** Utterances that have no answer after all tries. */
  readonly failed: number;
  readonly cause: AiCause | undefined;
}

const samplesPerMs = 16;
/** Longer than any utterance together with the delay of its report. */
const ringSamples = 20_000 * samplesPerMs;
/** Blocks follow each other by the sample; a larger step is another signal. */
const stepMs = 300;
const keptDelays = 21;
/** After the end of a stream: a program that is ended gives what it has, which on a busy machine takes it seconds. */
const lastSoundMs = 3000;
/** After the next publisher is known: longer than what a program has left of the last one. */
const leftoverMs = 1000;

/** Speech recognition of one stream: audio in, cues on its clock out. */
export class StreamSpeech {
  readonly #context: Context;
  readonly #recogniser: Recogniser;
  readonly #maker = new CueMaker();
  #activity: VoiceActivity | undefined;
  #ring = ringFor(1);
  /** When the first sample of the ring was, on the stream's clock. */
  #baseMs = 0;
  #epoch: string;
  /** Next publisher; audio that continues the previous one still belongs to that for a moment. */
  #next: { readonly epoch: string; readonly fromMs: number } | undefined;
  #delays: number[] = [];
  /** Open utterance and its first sample. */
  #open: { readonly from: number; readonly utterance: OpenUtterance } | undefined;
  #isOver = false;
  /** The signal that is heard now. */
  #run = 0;
  #lastSound = new AbortController();

  constructor(context: Context, epoch: string) {
    this.#context = context;
    this.#epoch = epoch;
    const onAnswer = (utterance: Utterance, answer: Transcription | undefined, tookMs: number) =>
      this.#answer(utterance, answer, tookMs);
    const onLate = (utterance: Utterance, answer: Transcription, tookMs: number) => {
      // Beside what was made of the utterances around it, and no longer on the pages that viewers saw.
      const cues = new CueMaker().cues({ ...utterance, shown: undefined }, answer);
      this.#tell(utterance, answer, { cues, tookMs, isLate: true });
    };
    this.#recogniser = new Recogniser({ ...context, onAnswer, onLate });
  }

  /** Returns a reader for the output of one run of the program that decodes the stream. */
  reader(): (chunk: Buffer) => void {
    const blocks = new AudioBlocks();
    const push = this.signal();
    return (chunk) => {
      for (const block of blocks.push(chunk)) push(block);
    };
  }

  /** New signal, so that results for the previous one are ignored. */
  signal(): (block: AudioBlock) => void {
    this.#lastSound.abort();
    this.#end();
    if (this.#next) this.#beginEpoch(this.#next.epoch);
    const run = ++this.#run;
    return (block) => {
      if (run === this.#run) this.#push(block);
    };
  }

  /** The next audio is another publisher's: no state is carried over. A running program is not always restarted. */
  begin(epoch: string): void {
    if (epoch === this.#next?.epoch) return;
    const fromMs = this.#context.clock.elapsedMs() + leftoverMs;
    this.#next = epoch === this.#epoch ? undefined : { epoch, fromMs };
  }

  /** The stream ended. Its last audio may still arrive; pending speech is still recognised. */
  finish(): void {
    this.#lastSound.abort();
    this.#lastSound = new AbortController();
    const { signal } = this.#lastSound;
    this.#context.clock.pause(lastSoundMs, signal).then(
      () => {
        if (signal.aborted) return;
        this.#end();
        this.#run++;
        this.#isOver = true;
        this.#ring = ringFor(1);
      },
      () => undefined,
    );
  }

  /** Up to here everything that was said is known; undefined before there is any sound. */
  get knownUntilMs(): number | undefined {
    const { pendingFromMs } = this.#recogniser;
    if (!this.#activity) return pendingFromMs ?? (this.#isOver ? Number.POSITIVE_INFINITY : undefined);
    const decidedMs = this.#timeOf(this.#activity.decidedUntil);
    return Math.min(decidedMs, pendingFromMs ?? decidedMs);
  }

  /** Publisher of the current audio. */
  get epoch(): string {
    return this.#epoch;
  }

  /** Utterances whose text is not known yet. */
  get pending(): number {
    return this.#recogniser.pending;
  }

  /** Time of the newest audio. */
  get heardUntilMs(): number | undefined {
    return this.#activity && this.#timeOf(this.#ring.length);
  }

  get facts(): SpeechFacts {
    const sorted = this.#delays.toSorted((a, b) => a - b);
    return { ...this.#recogniser.facts, delayMs: sorted[sorted.length >> 1] };
  }

  close(): void {
    this.#lastSound.abort();
    this.#open?.utterance.end();
    this.#activity?.close();
    this.#recogniser.close();
  }

  #push({ atMs, pcm }: AudioBlock): void {
    const isContinued = this.#activity && Math.abs(atMs - this.#timeOf(this.#ring.length)) <= stepMs;
    if (!isContinued) this.#end();
    if (this.#next && (!isContinued || this.#context.clock.elapsedMs() >= this.#next.fromMs)) {
      this.#activity?.cut();
      this.#beginEpoch(this.#next.epoch);
    }
    const span = { fromMs: atMs, toMs: atMs + pcm.length / 2 / samplesPerMs };
    // A reader that joins again repeats some audio, and a gap may have been transcribed from segments.
    if (this.#context.heard?.has(this.#epoch, span)) return;
    this.#context.heard?.add(this.#epoch, span);
    if (!this.#activity) this.#start();
    this.#baseMs = atMs - this.#ring.length / samplesPerMs;
    this.#ring.push(pcm);
    this.#activity?.push(pcm);
    this.#hearOpen();
  }

  #start(): void {
    this.#isOver = false;
    this.#ring = ringFor(ringSamples);
    this.#activity = this.#context.activity({ onUtterance: (...told) => this.#utterance(...told) });
  }

  /** This signal is over; what was begun is asked for as it is. */
  #end(): void {
    this.#activity?.cut();
    this.#activity?.close();
    this.#activity = undefined;
    this.#closeOpen();
  }

  #beginEpoch(epoch: string): void {
    this.#epoch = epoch;
    this.#next = undefined;
    this.#recogniser.forget();
  }

  /** Sends interim text of the open utterance. */
  #hearOpen(): void {
    const { openFrom: from, openLead: lead = 0 } = this.#activity ?? {};
    if (this.#open?.from !== from) this.#closeOpen();
    if (from === undefined) return;
    const place = { startMs: this.#timeOf(from), spokenFromMs: this.#timeOf(from + lead) };
    this.#open ??= { from, utterance: new OpenUtterance(this.#context, this.#epoch, place) };
    const to = this.#ring.length;
    const { utterance } = this.#open;
    utterance.hear({
      endMs: utterance.startMs + (to - from) / samplesPerMs,
      pcm: () => this.#ring.slice(from, to).samples,
    });
  }

  /** Returns the open utterance that starts here with its pages; pages of another are withdrawn. */
  #closeOpen(from?: number): OpenUtterance | undefined {
    const open = this.#open;
    this.#open = undefined;
    open?.utterance.end();
    if (open && open.from === from) return open.utterance;
    if (open) this.#takeBack(open.utterance, []);
    return undefined;
  }

  #takeBack(utterance: OpenUtterance, but: readonly Cue[]): void {
    const left = utterance.left(but);
    if (left.length > 0) this.#context.interim?.onInterim(utterance.epoch, left);
  }

  #utterance(from: number, to: number, lead: number): void {
    const shown = this.#closeOpen(from);
    const { start, samples: pcm } = this.#ring.slice(from, to);
    const startMs = shown?.startMs ?? this.#timeOf(start);
    const spokenFromMs = shown?.spokenFromMs ?? startMs + lead / samplesPerMs;
    const endMs = startMs + pcm.length / 2 / samplesPerMs;
    if (pcm.length > 0) this.#recogniser.add({ epoch: this.#epoch, startMs, spokenFromMs, endMs, pcm, shown });
    else if (shown) this.#takeBack(shown, []);
  }

  #answer(utterance: Utterance, answer: Transcription | undefined, tookMs: number): string {
    const { endMs, shown } = utterance;
    const cues = answer ? this.#maker.cues(utterance, answer) : [];
    if (shown) this.#takeBack(shown, cues);
    if (cues.length > 0 && this.heardUntilMs !== undefined) {
      this.#delays = [...this.#delays, Math.max(0, Math.round(this.heardUntilMs - endMs))].slice(-keptDelays);
    }
    this.#tell(utterance, answer, { cues, tookMs });
    return joinLines(cues.map(({ text }) => text).join('\n'));
  }

  #tell(
    { epoch, startMs, endMs }: Utterance,
    answer: Transcription | undefined,
    came: Pick<Heard, 'cues' | 'tookMs' | 'isLate'>,
  ): void {
    const language = this.#context.ask().language || (answer?.language ?? '');
    this.#context.onHeard({ epoch, startMs, endMs, language, ...came });
  }

  #timeOf(sample: number): number {
    return this.#baseMs + sample / samplesPerMs;
  }
}

/** Creates a ring of 16-bit samples. */
function ringFor(samples: number): SampleRing<Uint8Array> {
  return new SampleRing<Uint8Array>(new Uint8Array(samples * 2), 2);
}

/** Turns answers into cues that follow each other: none twice, none over another. Publishers have a clock each, and nothing to do with each other. */
class CueMaker {
  #last: Cue | undefined;
  #epoch = '';

  /** In the order of speech: the last words of a publisher may be recognised when the next one speaks. */
  cues(utterance: Utterance, answer: Transcription): Cue[] {
    if (utterance.epoch !== this.#epoch) this.#last = undefined;
    this.#epoch = utterance.epoch;
    const phrases = phrasesOf(utterance, answer);
    const shown = utterance.shown?.pages;
    // Its beginning was shown, so it stays on its pages.
    if (phrases.length > 0 && shown && shown.startsMs.length > 0) {
      const span = { startMs: utterance.spokenFromMs, endMs: utterance.endMs };
      const text = cleanText(answer.text);
      this.#last = { ...span, text };
      return shown.finish(text, span);
    }
    return phrases.flatMap((phrase) => {
      const last = this.#last;
      const startMs = Math.max(phrase.startMs, last?.endMs ?? phrase.startMs);
      const isRepeated =
        last?.text === phrase.text && phrase.startMs < last.endMs + 1000 && phrase.endMs - last.startMs < 2000;
      if (isRepeated || phrase.endMs <= startMs) return [];
      this.#last = { ...phrase, startMs };
      return splitCue(this.#last);
    });
  }
}

/** Converts phrases of an answer to the stream's clock, limited to their utterance, without impossible ones. */
function phrasesOf({ startMs, spokenFromMs, endMs }: Utterance, answer: Transcription): Cue[] {
  const seconds = (endMs - startMs) / 1000;
  const whole = cleanText(answer.text);
  if (whole === '' || isDoubtful(whole, seconds)) return [];
  const told = answer.segments.map(({ start, end, text }) => ({ start, end, text: cleanText(text) }));
  const isUsable = told.length > 0 && told.every(({ start, end }) => Number.isFinite(start) && Number.isFinite(end));
  const phrases = isUsable ? told : [{ start: 0, end: seconds, text: whole }];
  return phrases.flatMap(({ start, end, text }) => {
    if (text === '' || isDoubtful(text, Math.max(end - start, 0.5))) return [];
    const from = Math.round(startMs + 1000 * Math.min(Math.max(start, 0), seconds));
    const to = Math.round(startMs + 1000 * Math.min(Math.max(end, 0), seconds));
    // Most providers begin every answer at zero, which may be before the voice.
    return [{ startMs: Math.min(Math.max(from, spokenFromMs), endMs), endMs: to, text }];
  });
}
