import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ocrApi, ocrImagePath } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Ai } from '../../ai/ai.ts';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import { segmentEndMs } from '../../pipelines/pipeline-segment.ts';
import { watchSegments } from '../../pipelines/watch-segments.ts';
import type { SegmentConsumer, SegmentFeed } from '../../segments/segment-feed.ts';
import type { TranscriptIndex } from '../../transcript-index/transcript-index.ts';
import { ImageLinks } from './image-links.ts';
import { OcrService } from './ocr-service.ts';
import { OcrSettings } from './ocr-settings.ts';
import { PictureReader } from './picture/picture-reader.ts';
import { PictureTaker } from './picture/picture-taker.ts';
import { OcrFiles } from './pipeline/ocr-files.ts';
import { OcrPipeline } from './pipeline/ocr-pipeline.ts';
import { OcrRepository } from './pipeline/ocr-repository.ts';
import { beganAt, type OcrRow, segmentIds } from './pipeline/ocr-row.ts';
import { StreamChoice } from './stream-choice.ts';

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
    taker: new PictureTaker(files),
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
