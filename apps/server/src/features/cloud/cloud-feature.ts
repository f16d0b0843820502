import { join } from 'node:path';
import { type CloudRecording, type CloudVideo, cloudApi, type DataOf } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { Task } from '../../core/task.ts';
import type { Feature } from '../../feature.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import { segmentPlaylist } from '../../segments/segment-playlist.ts';
import { S3Client } from '../../uploads/s3-client.ts';
import { uploadAlert } from '../../uploads/upload-alert.ts';
import type { UploadJob } from '../../uploads/upload-job.ts';
import type { UploadOwner, UploadPlace } from '../../uploads/upload-owner.ts';
import type { UploadQueue } from '../../uploads/upload-queue.ts';
import { CloudRecorder } from './cloud-recorder.ts';
import { type CloudRow, CloudRows, playlistId } from './cloud-rows.ts';
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

/** Public, because players have no credential: the id is as hard to guess as the segment names, which are public in the bucket. */
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

interface CloudServiceContext {
  /** Re-evaluates whether the engine must write segments. */
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly account: TencentAccount;
  readonly switches: CloudSwitches;
  readonly queue: UploadQueue;
  readonly recorders: Record<CloudKind, CloudRecorder>;
  readonly libraries: Record<CloudKind, CloudLibrary>;
}

/** Administration of cloud recording and cloud video on demand. */
class CloudService {
  readonly #context: CloudServiceContext;

  constructor(context: CloudServiceContext) {
    this.#context = context;
  }

  async setSecret(key: { secretId: string; secretKey: string; region: string }): Promise<void> {
    const { account, queue } = this.#context;
    await account.setUp(key);
    for (const kind of ['dvr', 'vod']) queue.retry(kind);
  }

  async queryDvr(): Promise<DataOf<typeof cloudApi.dvrQuery>> {
    return this.#query('dvr');
  }

  async queryVod(): Promise<DataOf<typeof cloudApi.vodQuery>> {
    const { service, storage } = await this.#context.account.read();
    return { ...(await this.#query('vod')), service: service !== 0, storage: storage !== '' };
  }

  async apply(kind: CloudKind, isOn: boolean): Promise<void> {
    await this.#context.switches.set(kind, isOn);
    await this.#context.segments.changed();
  }

  async recordings(): Promise<CloudRecording[]> {
    const found = await this.#context.libraries.dvr.list();
    return found.map(({ row, waiting }) => ({ ...factsOf(row, waiting), bucket: row.bucket, region: row.region }));
  }

  async videos(): Promise<CloudVideo[]> {
    const found = await this.#context.libraries.vod.list();
    return found.map(({ row, waiting }) => ({
      ...factsOf(row, waiting),
      file: row.fileId,
      media: row.mediaUrl,
      task: row.mp4,
    }));
  }

  playlist(kind: CloudKind, uuid: string): Promise<string> {
    return this.#context.libraries[kind].playlist(uuid);
  }

  async endSilent(): Promise<void> {
    await this.#context.recorders.dvr.endSilent();
    await this.#context.recorders.vod.endSilent();
  }

  async #query(kind: CloudKind): Promise<DataOf<typeof cloudApi.dvrQuery>> {
    const { switches, account, queue } = this.#context;
    return {
      all: await switches.isOn(kind),
      secret: await account.hasSecret(),
      backlog: await queue.backlog(kind),
    };
  }
}

function factsOf(row: CloudRow, waiting: number) {
  const { uuid, vhost, app, stream, segments, durationMs, bytes, lost } = row;
  return {
    uuid,
    vhost,
    app,
    stream,
    waiting,
    lost,
    progress: row.state !== 'done',
    update: new Date(row.updatedAtMs).toISOString(),
    nn: segments,
    duration: durationMs / 1000,
    size: bytes,
  };
}

interface CloudLibraryContext {
  readonly kind: CloudKind;
  readonly rows: CloudRows;
  readonly queue: Pick<UploadQueue, 'waitingIn'>;
  readonly sink: CloudSink;
  readonly log: Log;
}

/** State of every recording in the cloud: chooses where files go and records what has arrived. */
class CloudLibrary implements UploadOwner {
  readonly #context: CloudLibraryContext;

  constructor(context: CloudLibraryContext) {
    this.#context = context;
  }

  async list(): Promise<{ row: CloudRow; waiting: number }[]> {
    const rows = await this.#context.rows.list();
    return Promise.all(rows.map(async (row) => ({ row, waiting: await this.#waiting(row) })));
  }

  /** Playlist of the segments that have arrived. */
  async playlist(uuid: string): Promise<string> {
    const { rows, sink } = this.#context;
    const row = await rows.get(uuid);
    if (!row) throw new WeirError('not_found', 'there is no cloud recording with this id');
    const segments = await rows.segmentsOf(row);
    const there = segments.slice(0, Math.max(0, segments.length - (await this.#waiting(row))));
    if (there.length === 0) throw new WeirError('not_found', 'this recording has not been uploaded yet');
    return segmentPlaylist(there, { isOpen: row.state !== 'done', uri: (name) => sink.urlOf(row, name) });
  }

  async placeFor(job: UploadJob): Promise<UploadPlace> {
    const row = await this.#context.rows.get(job.lane);
    if (!row) throw new Error('the recording of this upload no longer exists');
    return this.#context.sink.placeFor(row, job);
  }

  async uploaded(job: UploadJob): Promise<void> {
    const { rows, sink, log } = this.#context;
    if (job.id !== playlistId(job.lane)) return;
    const row = await rows.get(job.lane);
    if (!row) return;
    const change = await sink.finish(row);
    await rows.change(row.uuid, () => ({ ...change, state: 'done' }));
    log.info(
      { uuid: row.uuid, app: row.app, stream: row.stream, segments: row.segments },
      'recording uploaded to the cloud',
    );
  }

  async gone({ id, lane }: UploadJob): Promise<void> {
    await this.#context.rows.change(lane, ({ lost, missing }) => ({ lost: lost + 1, missing: [...missing, id] }));
  }

  /** Number of segments that are not uploaded yet, without playlists. */
  async #waiting({ uuid, state }: CloudRow): Promise<number> {
    const { queue, kind } = this.#context;
    if (state === 'done') return 0;
    return Math.max(0, (await queue.waitingIn(kind, uuid)) - (state === 'finishing' ? 1 : 0));
  }
}
