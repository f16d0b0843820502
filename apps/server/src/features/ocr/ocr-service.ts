import { type Activity, builtInBaseUrl, type OcrConfig, type OcrState } from '@weir/contract';
import type { Ai } from '../../ai/ai.ts';
import { assertAnswerer } from '../../ai/assert-answerer.ts';
import { toProviderChoice } from '../../ai/provider-choice.ts';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import { freshMs } from '../../pipelines/watch-segments.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import type { ImageLinks } from './image-links.ts';
import type { OcrSettings } from './ocr-settings.ts';
import type { OcrPipeline } from './pipeline/ocr-pipeline.ts';
import type { OcrRow, QueueName } from './pipeline/ocr-row.ts';
import { segmentViews } from './pipeline/segment-views.ts';
import type { StreamChoice } from './stream-choice.ts';

interface Context {
  /** Re-evaluates whether the engine must write segments. */
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly ai: Pick<Ai, 'describe'>;
  readonly settings: OcrSettings;
  readonly line: OcrPipeline;
  readonly choice: StreamChoice;
  readonly links: ImageLinks;
}

/** A provider for OCR alone has an address and a key. In the words of the specification, as clients of Oryx expect them. */
function assertComplete(config: OcrConfig): void {
  const { secretKey, baseURL } = toProviderChoice(config);
  if (baseURL === builtInBaseUrl) return;
  if (secretKey === '' && baseURL !== '') throw new WeirError('invalid_input', 'Invalid secret key');
  if (secretKey !== '' && baseURL === '') throw new WeirError('invalid_input', 'Invalid base url');
}

/** Texts in pictures of a live stream: what the owner wants, and what came of it. */
export class OcrService {
  readonly #context: Context;
  /** Starting, stopping and resetting one after the other. */
  readonly #turns = new Mutex();

  constructor(context: Context) {
    this.#context = context;
  }

  async query() {
    const { settings, line } = this.#context;
    await line.load();
    return { config: await settings.masked(), task: { uuid: line.uuid } };
  }

  /** Also starts and stops. */
  async apply({ uuid: _uuid, ...change }: Parameters<OcrSettings['merge']>[0] & { uuid: string }) {
    return this.#turns.take(async () => {
      const { ai, settings, line } = this.#context;
      await line.load();
      const before = await settings.read();
      const config = settings.merge(change);
      if (config.all) assertComplete(config);
      if (config.all && config.aiChatEnabled) await assertAnswerer(ai, 'see', toProviderChoice(config));
      await settings.save(config);
      await this.#context.segments.changed();
      await this.#follow(config, before);
      return { uuid: line.uuid };
    });
  }

  /** Takes up what was wanted when the server last ran. */
  async resume(): Promise<void> {
    await this.#turns.take(async () => {
      const { settings, line } = this.#context;
      await line.load();
      if ((await settings.read()).all) line.start();
    });
  }

  async reset(uuid: string) {
    return this.#turns.take(async () => {
      const { settings, line } = this.#context;
      await line.load();
      if (uuid !== line.uuid) throw new WeirError('invalid_input', 'invalid uuid');
      if ((await settings.read()).all) throw new WeirError('invalid_input', 'can not reset when running');
      await line.reset();
      return { uuid: line.uuid };
    });
  }

  async queue<Name extends QueueName>(name: Name) {
    const { line, links } = this.#context;
    await line.load();
    const path = await links.paths();
    const view = segmentViews[name] as (row: OcrRow, imagePath: typeof path) => ReturnType<(typeof segmentViews)[Name]>;
    const segments = line.queue(name).map((row) => view(row, path));
    return { segments, count: segments.length };
  }

  async state(): Promise<OcrState> {
    const { ai, settings, line, choice } = this.#context;
    await line.load();
    const config = await settings.read();
    return {
      provider: await ai.describe('see', toProviderChoice(config)),
      stream: (await choice.now().catch(() => undefined))?.name ?? '',
      ...(await line.numbers()),
    };
  }

  /** Running while a stream is read, degraded while images are not. */
  async activity(): Promise<Activity | undefined> {
    const { settings, line, choice } = this.#context;
    await line.load();
    const config = await settings.read();
    if (!config.all) return config.aiSecretKey === '' && line.rows.length === 0 ? undefined : 'idle';
    if (!(await choice.now())) return 'idle';
    return (await line.numbers()).cause === null ? 'running' : 'degraded';
  }

  async #follow(config: OcrConfig, before: OcrConfig): Promise<void> {
    const { line, choice } = this.#context;
    choice.again();
    if (config.stream !== before.stream) await line.point('');
    // A new prompt must be answered even for an unchanged frame.
    line.again();
    if (!config.all) return line.stop();
    if (!before.all) await line.dropOlder(freshMs);
    line.start();
  }
}
