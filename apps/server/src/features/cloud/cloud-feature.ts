import { join } from 'node:path';
import { cloudApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { Task } from '../../core/task.ts';
import type { Feature } from '../../feature.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import { S3Client } from '../../uploads/s3-client.ts';
import { uploadAlert } from '../../uploads/upload-alert.ts';
import type { UploadQueue } from '../../uploads/upload-queue.ts';
import { CloudLibrary } from './cloud-library.ts';
import { CloudRecorder } from './cloud-recorder.ts';
import { CloudRows } from './cloud-rows.ts';
import { CloudService } from './cloud-service.ts';
import type { CloudSink } from './cloud-sink.ts';
import { type CloudKind, CloudSwitches } from './cloud-switches.ts';
import { TencentAccount, toCredential } from './tencent-account.ts';
import { TencentClient, type TencentPlaces, tencentPlaces, toStorage } from './tencent-api.ts';
import { updateVideos, vodSink } from './vod-sink.ts';

function cloudRoutes(http: HttpApp, service: CloudService): void {
  http.route(cloudApi.secret, (key) => service.setSecret(key));
  http.route(cloudApi.dvrQuery, () => service.queryDvr());
  http.route(cloudApi.dvrApply, ({ all }) => service.apply('dvr', all));
  http.route(cloudApi.dvrFiles, () => service.recordings());
  http.route(cloudApi.vodQuery, () => service.queryVod());
  http.route(cloudApi.vodApply, ({ all }) => service.apply('vod', all));
  http.route(cloudApi.vodFiles, () => service.videos());
  playlistRoute(http, service, 'dvr');
  playlistRoute(http, service, 'vod');
}

const playlistPath = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\/index)?\.m3u8$/;

/**
 * Without a credential, as players know it: the id is as hard to guess as the names of the segments, which anybody who has them
 * may read in the cloud anyway.
 */
function playlistRoute(http: HttpApp, service: CloudService, kind: CloudKind): void {
  http.fastify.route<{ Params: { '*': string } }>({
    method: anyMethod,
    url: `/terraform/v1/hooks/${kind}/hls/*`,
    handler: async (request, reply) => {
      const [, uuid] = playlistPath.exec(request.params['*']) ?? [];
      if (uuid === undefined) throw new WeirError('not_found', 'there is no playlist at this path');
      const text = await service.playlist(kind, uuid);
      return reply
        .headers({ 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' })
        .send(Buffer.from(request.method === 'HEAD' ? '' : text));
    },
  });
}

interface Context {
  readonly config: { readonly filesDir: string };
  readonly store: Store;
  readonly outgoing: OutgoingClient;
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly uploads: UploadQueue;
  readonly log: Log;
  readonly clock: Clock;
  /** Tests have a cloud of their own, and less patience. */
  readonly places?: TencentPlaces;
  readonly silenceMs?: number;
}

const lookMs = 5000;
const kinds: readonly CloudKind[] = ['dvr', 'vod'];

/** Recording into Tencent Cloud: into its storage, or into its video service. */
export function cloudFeature(context: Context): Feature & { readonly service: CloudService } {
  const { config, store, outgoing, segments, uploads, clock, places = tencentPlaces, silenceMs } = context;
  const log = context.log.child({ feature: 'cloud' });
  const api = new TencentClient(outgoing, places, clock);
  const account = new TencentAccount({ store, api, places, outgoing, log });
  const switches = new CloudSwitches(store);
  const rowsOf = (kind: CloudKind) =>
    new CloudRows(kind, { store, clock, directory: join(config.filesDir, 'cloud', kind) });
  const rows = { dvr: rowsOf('dvr'), vod: rowsOf('vod') };
  const sinks = {
    dvr: dvrSink({ account, places, outgoing }),
    vod: vodSink({ account, places, outgoing, clock, rows: rows.vod }),
  };
  const partsOf = (kind: CloudKind) => ({ kind, rows: rows[kind], queue: uploads, sink: sinks[kind], log });
  const recorderOf = (kind: CloudKind) =>
    new CloudRecorder({ ...partsOf(kind), switches, clock, ...(silenceMs !== undefined && { silenceMs }) });
  const recorders = { dvr: recorderOf('dvr'), vod: recorderOf('vod') };
  const libraries = { dvr: new CloudLibrary(partsOf('dvr')), vod: new CloudLibrary(partsOf('vod')) };
  const service = new CloudService({ account, switches, segments, recorders, libraries, queue: uploads });

  /** Periodic work. The store or the disk may become available later than this process. */
  const look: Task = async (signal) => {
    let hasResumed = false;
    while (!signal.aborted) {
      try {
        if (!hasResumed) await Promise.all(kinds.map((kind) => recorders[kind].resume()));
        hasResumed = true;
        await service.endSilent();
        await updateVideos({ account, videos: rows.vod, log, clock });
      } catch (error) {
        log.warn({ err: error }, 'cloud recordings could not be checked');
      }
      await clock.pause(lookMs, signal).catch(() => undefined);
    }
  };

  return {
    routes: (http) => cloudRoutes(http, service),
    tasks: { 'cloud-recordings': look },
    segments: kinds.map((kind) => recorders[kind]),
    uploads: libraries,
    alerts: async () => {
      const told = kinds.map(async (kind) =>
        uploadAlert(kind, { page: 'scenario', tab: 'others', child: kind }, await uploads.backlog(kind)),
      );
      return (await Promise.all(told)).flat();
    },
    service,
  };
}

interface DvrSinkContext {
  readonly account: TencentAccount;
  readonly places: TencentPlaces;
  readonly outgoing: OutgoingClient;
}

/** Cloud recording: segments in the bucket of the account, where everybody who knows their names may read them. */
function dvrSink({ account, places, outgoing }: DvrSinkContext): CloudSink {
  return {
    isReady: async () => (await account.hasSecret()) && (await account.read()).bucket !== '',
    begin: async () => {
      const { bucket, region } = await account.read();
      return { bucket, region };
    },
    placeFor: async ({ bucket, region }, { key }) => {
      const credential = toCredential(await account.read());
      return { bucket: toStorage(places, { bucket, region, credential }), key };
    },
    finish: async () => ({}),
    urlOf: ({ uuid, bucket, region }, fileName) => {
      const credential = { accessKeyId: '', secretAccessKey: '' };
      return new S3Client(outgoing, toStorage(places, { bucket, region, credential })).urlOf(`${uuid}/${fileName}`)
        .href;
    },
  };
}
