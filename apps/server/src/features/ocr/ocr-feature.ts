import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Activity, builtInBaseUrl, maskKey, OcrConfig, type OcrState, ocrApi, ocrImagePath } from '@weir/contract';
import type { FinishedSegment } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { placeText } from '@weir/streams';
import type { Ai } from '../../ai/ai.ts';
import { assertProvider } from '../../ai/assert-provider.ts';
import { keptKey } from '../../ai/kept-key.ts';
import { toProviderChoice } from '../../ai/provider-choice.ts';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import { Mutex } from '../../core/mutex.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import { chooseInput, type LiveInput, type LiveInputs } from '../../outlets/live-inputs.ts';
import { segmentEndMs } from '../../pipelines/pipeline-segment.ts';
import { freshMs, watchSegments } from '../../pipelines/watch-segments.ts';
import type { SegmentConsumer, SegmentFeed } from '../../segments/segment-feed.ts';
import type { TranscriptIndex } from '../../transcript-index/transcript-index.ts';
import { ImageLinks } from './image-links.ts';
import { FrameGrabber } from './picture/frame-grabber.ts';
import { PictureReader } from './picture/picture-reader.ts';
import { OcrFiles } from './pipeline/ocr-files.ts';
import { OcrPipeline } from './pipeline/ocr-pipeline.ts';
import { OcrRepository } from './pipeline/ocr-repository.ts';
import { beganAt, type OcrRow, type QueueName, segmentIds } from './pipeline/ocr-row.ts';
import { segmentViews } from './pipeline/segment-views.ts';

interface Callbacks {
  tellPicture(
    picture: Pick<OcrRow, 'id' | 'vhost' | 'app' | 'stream' | 'prompt' | 'sequence'> & {
      readonly uuid: string;
      readonly result: string;
      readonly tsid: string;
      readonly at: string;
      readonly imagePath: string;
    },
  ): Promise<{ tried: Promise<void> } | undefined>;
}

interface Context {
  readonly config: { readonly filesDir: string };
  readonly store: Store;
  readonly ai: Ai;
  readonly inputs: LiveInputs;
  readonly events: Events;
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly words: Pick<TranscriptIndex, 'keep'>;
  readonly callbacks: Callbacks;
  readonly linkKey: () => Promise<Uint8Array>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Segments that may wait to be linked; each is a matter of milliseconds. */
const mostWaiting = 200;

/** Reads the texts in pictures of a live stream, and tells a receiver of the owner's. */
export function ocrFeature(context: Context): Feature {
  const { store, ai, inputs, callbacks, clock, words } = context;
  const log = context.log.child({ feature: 'ocr' });
  const settings = new OcrSettings(store);
  const files = new OcrFiles(join(context.config.filesDir, 'ocr'));
  const links = new ImageLinks(context);
  const line: OcrPipeline = new OcrPipeline({
    repository: new OcrRepository(store),
    files,
    clock,
    log,
    taker: new FrameGrabber(files),
    reader: new PictureReader(ai),
    config: () => settings.now,
    output: {
      tell: async (row) => {
        const tsid = segmentIds(row).image;
        const imagePath = (await links.paths())(tsid);
        return callbacks.tellPicture({ ...row, uuid: line.uuid, result: row.ocr, tsid, at: beganAt(row), imagePath });
      },
      keep: (row) => {
        const { vhost, app, stream, clientId: epoch, id: segmentId, ocr: text } = row;
        const span = { startMs: row.startMs ?? 0, endMs: segmentEndMs(row) };
        const place = { vhost, app, stream, epoch, segmentId };
        const dateMs = row.atMs - row.durationMs;
        words.keep({
          ...place,
          kind: 'picture',
          startMs: span.startMs,
          dateMs,
          cues: [{ ...span, text }],
          language: '',
        });
      },
    },
  });
  const choice = new StreamChoice({ inputs, events: context.events, settings, line });
  const service = new OcrService({ ai, settings, segments: context.segments, line, choice, links });
  const consumer: SegmentConsumer = {
    name: 'ocr',
    most: mostWaiting,
    isOn: async () => (await settings.read()).all,
    async take(segment) {
      await line.load();
      // Read, because the first ones come before anything else was.
      if ((await settings.read()).all && (await choice.takes(segment))) await line.add(segment);
    },
    miss(segment) {
      if (settings.now.all) line.miss(segment);
    },
  };
  return {
    routes: (http) => {
      ocrRoutes(http, service);
      imageRoute(http, { line, files, links });
    },
    tasks: { ocr: watchSegments({ resume: () => service.resume(), pipelines: () => [line], clock, log }) },
    segments: [consumer],
    activity: { ocr: () => service.activity() },
    close: () => line.stop(),
  };
}

interface ImageRouteContext {
  readonly line: OcrPipeline;
  readonly files: OcrFiles;
  readonly links: ImageLinks;
}

/** Pictures of segments: for the administrator, or by the address that queues and callbacks hand out. */
function imageRoute(http: HttpApp, { line, files, links }: ImageRouteContext): void {
  http.fastify.route<{ Params: { '*': string }; Querystring: { token?: unknown } }>({
    method: anyMethod,
    url: `${ocrImagePath}/*`,
    handler: async (request, reply) => {
      const tsid = request.params['*'].replace(/\.jpg$/, '');
      const { token } = request.query;
      // Before anything is looked up: strangers learn nothing, not even which pictures there are.
      const isOpen = typeof token === 'string' && (await links.isGood(tsid, token));
      if (!isOpen) await http.authorise(request, reply);
      await line.load();
      const row = line.rows.find((one) => segmentIds(one).image === tsid);
      const image = row && (await readFile(files.image(row)).catch(() => undefined));
      if (!image) throw new WeirError('not_found', 'there is no such image');
      return reply
        .headers({ 'content-type': 'image/jpeg', 'cache-control': 'private, max-age=600' })
        .header('x-content-type-options', 'nosniff')
        .send(request.method === 'HEAD' ? Buffer.alloc(0) : image);
    },
  });
}

/** Wire ↔ service. The test of a provider, which has its path here, is the business of the AI settings. */
function ocrRoutes(http: HttpApp, service: OcrService): void {
  http.route(ocrApi.query, () => service.query());
  http.route(ocrApi.apply, (change) => service.apply(change));
  http.route(ocrApi.reset, ({ uuid }) => service.reset(uuid));
  http.route(ocrApi.state, () => service.state());
  http.route(ocrApi.liveQueue, () => service.queue('live'));
  http.route(ocrApi.ocrQueue, () => service.queue('ocr'));
  http.route(ocrApi.callbackQueue, () => service.queue('callback'));
  http.route(ocrApi.cleanupQueue, () => service.queue('cleanup'));
}

interface OcrServiceContext {
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
class OcrService {
  readonly #context: OcrServiceContext;
  /** Starting, stopping and resetting one after the other. */
  readonly #turns = new Mutex();

  constructor(context: OcrServiceContext) {
    this.#context = context;
  }

  async query() {
    const { settings, line } = this.#context;
    await line.load();
    return { config: await settings.masked(), task: { uuid: line.uuid } };
  }

  /** Also starts and stops the task. */
  async apply({ uuid: _uuid, ...change }: Parameters<OcrSettings['merge']>[0] & { uuid: string }) {
    return this.#turns.take(async () => {
      const { ai, settings, line } = this.#context;
      await line.load();
      const before = await settings.read();
      const config = settings.merge(change);
      if (config.all) assertComplete(config);
      if (config.all && config.aiChatEnabled) await assertProvider(ai, 'see', toProviderChoice(config));
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

interface StreamChoiceContext {
  readonly inputs: LiveInputs;
  readonly events: Events;
  readonly settings: OcrSettings;
  readonly line: OcrPipeline;
}

/** Stream to read: the chosen one, or the newest that this server did not produce itself. */
class StreamChoice {
  readonly #context: StreamChoiceContext;
  #now: Promise<LiveInput | undefined> | undefined;

  constructor(context: StreamChoiceContext) {
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

type AddedField = 'stream' | 'intervalSeconds' | 'skipUnchanged';
type SettingsChange = Omit<OcrConfig, AddedField> & { readonly [Name in AddedField]?: OcrConfig[Name] | undefined };

/** Settings of the owner, cached in memory for synchronous readers. */
class OcrSettings {
  readonly #stored: Setting<OcrConfig>;
  #now: OcrConfig = OcrConfig.parse({});

  constructor(store: Store) {
    this.#stored = store.setting('ocr/global', OcrConfig);
  }

  get now(): OcrConfig {
    return this.#now;
  }

  async read(): Promise<OcrConfig> {
    this.#now = await this.#stored.read();
    return this.#now;
  }

  async masked(): Promise<OcrConfig> {
    const config = await this.read();
    return { ...config, aiSecretKey: maskKey(config.aiSecretKey) };
  }

  /** Merges a change; fields that an older client does not know stay as they are. */
  merge(change: SettingsChange): OcrConfig {
    const { stream, intervalSeconds, skipUnchanged } = this.#now;
    return {
      ...change,
      stream: (change.stream ?? stream).trim(),
      intervalSeconds: change.intervalSeconds ?? intervalSeconds,
      skipUnchanged: change.skipUnchanged ?? skipUnchanged,
      aiSecretKey: keptKey(toProviderChoice(this.#now), toProviderChoice(change)),
    };
  }

  async save(config: OcrConfig): Promise<void> {
    await this.#stored.put(config);
    this.#now = config;
  }
}
