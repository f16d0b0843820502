import { type FinishedSegment, placeText } from '@weir/dialect';
import { chooseInput, type LiveInput, type LiveInputs } from '../../outlets/live-inputs.ts';
import type { OcrSettings } from './ocr-settings.ts';
import type { OcrPipeline } from './pipeline/ocr-pipeline.ts';

interface Context {
  readonly inputs: LiveInputs;
  readonly settings: OcrSettings;
  readonly line: OcrPipeline;
}

/** Which stream is read: the one that was chosen, else the newest that this server did not make. */
export class StreamChoice {
  readonly #context: Context;
  #now: Promise<LiveInput | undefined> | undefined;

  constructor(context: Context) {
    this.#context = context;
    context.inputs.onChange(() => this.again());
  }

  /** What is wanted, or what is there, has changed. */
  again(): void {
    this.#now = undefined;
  }

  /** What is live of it. */
  now(): Promise<LiveInput | undefined> {
    this.#now ??= this.#choose().catch((error: unknown) => {
      this.again();
      throw error;
    });
    return this.#now;
  }

  /** The last segments of a stream come when it is over: until another one is there it stays chosen. */
  async takes(segment: FinishedSegment): Promise<boolean> {
    const { line } = this.#context;
    const live = await this.now().catch(() => undefined);
    if (live) await line.point(placeText(live));
    return line.place === placeText(segment);
  }

  async #choose(): Promise<LiveInput | undefined> {
    const { inputs, settings } = this.#context;
    return chooseInput(await inputs.look(), settings.now.stream, { current: undefined, to: '' });
  }
}
