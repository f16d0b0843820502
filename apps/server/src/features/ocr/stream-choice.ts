import type { FinishedSegment } from '@weir/engine-api';
import { placeText } from '@weir/streams';
import type { Events } from '../../core/events.ts';
import { chooseInput, type LiveInput, type LiveInputs } from '../../outlets/live-inputs.ts';
import type { OcrSettings } from './ocr-settings.ts';
import type { OcrPipeline } from './pipeline/ocr-pipeline.ts';

interface Context {
  readonly inputs: LiveInputs;
  readonly events: Events;
  readonly settings: OcrSettings;
  readonly line: OcrPipeline;
}

/** Stream to read: the chosen one, or the newest that this server did not produce itself. */
export class StreamChoice {
  readonly #context: Context;
  #now: Promise<LiveInput | undefined> | undefined;

  constructor(context: Context) {
    this.#context = context;
    context.events.on('inputs:changed', () => this.again());
  }

  /** Re-evaluates the choice after a change of settings or live streams. */
  again(): void {
    this.#now = undefined;
  }

  /** Live input of the chosen stream. */
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
