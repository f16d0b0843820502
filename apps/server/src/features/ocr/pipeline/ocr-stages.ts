import { readFile } from 'node:fs/promises';
import { type OcrConfig, ocrLimits } from '@weir/contract';
import { AiError } from '../../../ai/ai.ts';
import { toProviderChoice } from '../../../ai/provider-choice.ts';
import type { Clock } from '../../../core/clock.ts';
import type { SegmentStage, Step } from '../../../pipelines/segment-pipeline.ts';
import type { SegmentQueue } from '../../../pipelines/segment-plan.ts';
import type { FrameGrabber } from '../picture/frame-grabber.ts';
import { hasChanged } from '../picture/has-changed.ts';
import { type PictureReader, withDefaultPrompt } from '../picture/picture-reader.ts';
import type { OcrFiles } from './ocr-files.ts';
import type { OcrRow } from './ocr-row.ts';
import type { ResultCounts } from './result-counts.ts';

/** Receivers of the text of a picture. */
interface OcrOutput {
  /** Passes the text on for delivery. Idempotent; stored once it resolves. Undefined without a receiver. */
  tell(row: OcrRow): Promise<{ tried: Promise<void> } | undefined>;
  /** Keeps its text where it can be found. Done again it changes nothing. */
  keep(row: OcrRow): void;
}

export interface StagesContext {
  readonly files: OcrFiles;
  readonly taker: Pick<FrameGrabber, 'take'>;
  readonly reader: Pick<PictureReader, 'read' | 'answerer' | 'forget'>;
  readonly clock: Clock;
  readonly config: () => OcrConfig;
  readonly output: OcrOutput;
  /** Notes that the callback of a row is queued for delivery. */
  readonly onTold: (row: OcrRow) => Promise<void>;
  readonly tally: () => ResultCounts;
}

const { queue: shown, live, tries } = ocrLimits;

export const ocrQueues: readonly SegmentQueue<OcrRow>[] = [
  { name: 'live', most: live },
  { name: 'ocr', most: shown + 1 },
  { name: 'callback', most: shown + 1 },
  { name: 'cleanup', most: shown },
];

/** Stages of the pipeline, with the state of earlier frames in memory. */
export class OcrStages {
  readonly #context: StagesContext;
  /** Small pictures of those that wait to be read. */
  readonly #thumbnails = new Map<string, Uint8Array>();
  /** Thumbnail of the last frame that was read. */
  #last: Uint8Array | undefined;
  #epoch = 0;
  /** From the beginning of the last segment whose picture was taken to that of the next one. */
  #sinceMs = Number.POSITIVE_INFINITY;
  #takenEpoch = 0;

  constructor(context: StagesContext) {
    this.#context = context;
  }

  get all(): readonly SegmentStage<OcrRow>[] {
    const failure = { tries, canRetry: (error: unknown) => !(error instanceof AiError) || error.canRetry };
    return [
      {
        name: 'extract',
        from: 'live',
        to: 'ocr',
        mode: 'background',
        run: (row, { signal, isFirstTry }) => this.#extract(row, signal, isFirstTry),
        failure: { ...failure, giveUp: () => this.#leave((tally) => tally.fail('no-picture')) },
      },
      {
        name: 'read',
        from: 'ocr',
        to: 'callback',
        mode: 'background',
        run: (row, { signal }) => this.#read(row, signal),
        failure: { ...failure, giveUp: (_row, error) => this.#unread(error) },
      },
      // Text that is read is reported for as long as it takes.
      {
        name: 'report',
        from: 'callback',
        to: 'cleanup',
        mode: 'background',
        run: (row, { signal }) => this.#report(row, signal),
      },
    ];
  }

  /** Makes the next picture be read even if it looks like the last. */
  again(): void {
    this.#last = undefined;
  }

  /** Drops the state of earlier frames when the stream changes. */
  forget(): void {
    this.again();
    this.#thumbnails.clear();
    this.#sinceMs = Number.POSITIVE_INFINITY;
    this.#context.reader.forget();
  }

  /** Drops the state of a removed row. */
  drop({ id }: OcrRow): void {
    this.#thumbnails.delete(id);
  }

  /** Extracts a frame, if it is time. */
  async #extract(row: OcrRow, signal: AbortSignal, isFirstTry: boolean): Promise<Step<OcrRow>> {
    if (isFirstTry && !this.#isTime(row)) return this.#leave((tally) => tally.skip('interval'));
    const { clock, taker } = this.#context;
    const began = clock.elapsedMs();
    const { bytes: imageBytes, thumbnail, startMs } = await taker.take(row, signal);
    this.#thumbnails.set(row.id, thumbnail);
    const eic = Math.round(clock.elapsedMs() - began);
    return { change: (stored) => ({ ...stored, queue: 'ocr', imageBytes, startMs, eic }) };
  }

  /** Reads the picture, unless text recognition is off or the picture equals the one before. */
  async #read(row: OcrRow, signal: AbortSignal): Promise<Step<OcrRow>> {
    const { clock, reader, files } = this.#context;
    const config = this.#context.config();
    const { aiChatEnabled, aiChatModel: model, aiChatMaxWindow: window, aiChatMaxWords: words, skipUnchanged } = config;
    if (row.epoch !== this.#epoch) {
      this.again();
      reader.forget();
      this.#epoch = row.epoch;
    }
    if (!aiChatEnabled) return this.#decide({ outcome: 'skipped' }, (tally) => tally.skip('off'));
    const thumbnail = this.#thumbnails.get(row.id);
    if (skipUnchanged && thumbnail && !hasChanged(this.#last, thumbnail)) {
      return this.#leave((tally) => tally.skip('unchanged'));
    }
    const began = clock.elapsedMs();
    const [provider, prompt] = [toProviderChoice(config), withDefaultPrompt(config.aiChatPrompt)];
    const answeredBy = await reader.answerer(provider);
    const image = await readFile(files.image(row));
    const ocr = await reader.read(image, { provider, model, prompt, window, words }, signal);
    this.#last = thumbnail;
    const ocrc = Math.round(clock.elapsedMs() - began);
    return this.#decide({ outcome: 'called', ocr, ocrc, answeredBy, model, prompt }, (tally) => tally.call());
  }

  /** Keeps an unreadable picture for inspection. */
  #unread(error: unknown): Step<OcrRow> {
    if (!(error instanceof AiError)) return this.#leave((tally) => tally.fail('no-picture'));
    const { cause } = error;
    return this.#decide({ outcome: 'failed', cause }, (tally) => tally.fail(cause));
  }

  /** Hands its text over, and waits a moment for its delivery: what takes longer is no business of ours. */
  async #report(row: OcrRow, signal: AbortSignal): Promise<Step<OcrRow>> {
    const { clock, output, onTold } = this.#context;
    if (row.outcome !== 'called' || row.isTold) return { change: (stored) => ({ ...stored, queue: 'cleanup' }) };
    const began = clock.elapsedMs();
    // Both happen before the row is marked as done, so a killed process repeats them.
    output.keep(row);
    const told = await output.tell(row);
    await onTold({ ...row, isTold: true });
    if (told) await unlessAborted(told.tried, signal);
    const cbc = told ? Math.round(clock.elapsedMs() - began) : 0;
    return { change: (stored) => ({ ...stored, queue: 'cleanup', isTold: true, cbc }) };
  }

  /** Ends what there is to decide about a row; it is shown from now on. */
  #decide(decision: Partial<OcrRow>, count: (tally: ResultCounts) => void): Step<OcrRow> {
    const { tally } = this.#context;
    return { change: (stored) => ({ ...stored, queue: 'callback', ...decision }), onStored: () => count(tally()) };
  }

  #leave(count: (tally: ResultCounts) => void): Step<OcrRow> {
    return { change: () => undefined, onStored: () => count(this.#context.tally()) };
  }

  /** A segment that begins in the middle of a group of pictures may hold none that can be decoded; the one after it does. */
  #isTime({ epoch, durationMs, isIndependent }: OcrRow): boolean {
    if (epoch !== this.#takenEpoch) this.#sinceMs = Number.POSITIVE_INFINITY;
    this.#takenEpoch = epoch;
    const isTime = isIndependent && this.#sinceMs >= this.#context.config().intervalSeconds * 1000;
    this.#sinceMs = (isTime ? 0 : this.#sinceMs) + durationMs;
    return isTime;
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([work, stopped]).finally(() => signal.removeEventListener('abort', stop));
}
