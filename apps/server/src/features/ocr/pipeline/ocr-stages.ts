import { readFile } from 'node:fs/promises';
import type { OcrConfig } from '@weir/contract';
import { AiError } from '../../../ai/ai.ts';
import { toProviderChoice } from '../../../ai/provider-choice.ts';
import type { Clock } from '../../../core/clock.ts';
import { hasChanged } from '../picture/has-changed.ts';
import { type PictureReader, withDefaultPrompt } from '../picture/picture-reader.ts';
import type { PictureTaker } from '../picture/picture-taker.ts';
import type { OcrFiles } from './ocr-files.ts';
import type { OcrStage } from './ocr-plan.ts';
import type { OcrRow } from './ocr-row.ts';
import type { Tally } from './tally.ts';

export interface StagesContext {
  readonly files: OcrFiles;
  readonly taker: Pick<PictureTaker, 'take'>;
  readonly reader: Pick<PictureReader, 'read' | 'answerer' | 'forget'>;
  readonly clock: Clock;
  readonly config: () => OcrConfig;
  /** Hands its text to those who deliver it; kept when it resolves, and once however often it is done. Undefined: nobody is told. */
  readonly tell: (row: OcrRow) => Promise<{ tried: Promise<void> } | undefined>;
  /** Keeps its text where it can be found. Done again it changes nothing. */
  readonly keep: (row: OcrRow) => void;
}

/** Result of a stage: the changed row or none, and how it is counted. */
export interface Step {
  readonly row: OcrRow | undefined;
  readonly count?: (tally: Tally) => void;
}

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

  /** The next picture is read, whatever it shows. */
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

  /** Takes its picture, if it is time. */
  async take(row: OcrRow, signal: AbortSignal, isFirstTry: boolean): Promise<Step> {
    if (isFirstTry && !this.#isTime(row)) return { row: undefined, count: (tally) => tally.skip('interval') };
    const { clock, taker } = this.#context;
    const began = clock.elapsedMs();
    const { bytes: imageBytes, thumbnail, startMs } = await taker.take(row, signal);
    this.#thumbnails.set(row.id, thumbnail);
    return { row: { ...row, queue: 'ocr', imageBytes, startMs, eic: Math.round(clock.elapsedMs() - began) } };
  }

  /** Reads its picture, unless nobody wants that or it shows what the one before did. */
  async read(row: OcrRow, signal: AbortSignal): Promise<Step> {
    const { clock, reader, files } = this.#context;
    const config = this.#context.config();
    const { aiChatEnabled, aiChatModel: model, aiChatMaxWindow: window, aiChatMaxWords: words, skipUnchanged } = config;
    if (row.epoch !== this.#epoch) {
      this.again();
      reader.forget();
      this.#epoch = row.epoch;
    }
    const done = { ...row, queue: 'callback' as const };
    if (!aiChatEnabled) return { row: { ...done, outcome: 'skipped' }, count: (tally) => tally.skip('off') };
    const thumbnail = this.#thumbnails.get(row.id);
    if (skipUnchanged && thumbnail && !hasChanged(this.#last, thumbnail)) {
      return { row: undefined, count: (tally) => tally.skip('unchanged') };
    }
    const began = clock.elapsedMs();
    const [provider, prompt] = [toProviderChoice(config), withDefaultPrompt(config.aiChatPrompt)];
    const answeredBy = await reader.answerer(provider);
    const image = await readFile(files.image(row));
    const ocr = await reader.read(image, { provider, model, prompt, window, words }, signal);
    this.#last = thumbnail;
    const ocrc = Math.round(clock.elapsedMs() - began);
    return {
      row: { ...done, outcome: 'called', ocr, ocrc, answeredBy, model, prompt },
      count: (tally) => tally.call(),
    };
  }

  /** Hands its text over, and waits a moment for its delivery: what takes longer is no business of ours. */
  async tell(row: OcrRow, signal: AbortSignal, onTold: (row: OcrRow) => Promise<void>): Promise<Step> {
    const { clock, keep } = this.#context;
    const done = { ...row, queue: 'cleanup' as const };
    if (row.outcome !== 'called' || row.isTold) return { row: done };
    const began = clock.elapsedMs();
    // Both happen before the row is marked as done, so a killed process repeats them.
    keep(row);
    const told = await this.#context.tell(row);
    await onTold({ ...row, isTold: true });
    if (told) await unlessAborted(told.tried, signal);
    return { row: { ...done, isTold: true, cbc: told ? Math.round(clock.elapsedMs() - began) : 0 } };
  }

  /** True if another attempt may succeed. */
  canRetry(error: unknown): boolean {
    return !(error instanceof AiError) || error.canRetry;
  }

  /** After the last try. A picture that nobody could read stays to be looked at. */
  giveUp(stage: OcrStage, row: OcrRow, error: unknown): Step {
    if (stage === 'read' && error instanceof AiError) {
      const { cause } = error;
      return { row: { ...row, queue: 'callback', outcome: 'failed', cause }, count: (tally) => tally.fail(cause) };
    }
    return { row: undefined, count: (tally) => tally.fail('no-picture') };
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
