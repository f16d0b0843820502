import { join } from 'node:path';
import { recordApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import type { TranscriptIndex } from '../../transcript-index/transcript-index.ts';
import type { UploadQueue } from '../../uploads/upload-queue.ts';
import { BucketRepository } from './bucket/bucket-repository.ts';
import { bucketRoutes } from './bucket/bucket-routes.ts';
import { BucketService, bucketOwner } from './bucket/bucket-service.ts';
import { copyDirectory } from './finish/copy-directory.ts';
import { Finisher } from './finish/finisher.ts';
import { SegmentRemoval } from './finish/segment-removal.ts';
import { playbackRoutes } from './library/playback-routes.ts';
import { RecordingCache } from './library/recording-cache.ts';
import { RecordingFiles } from './library/recording-files.ts';
import { RecordingRepository } from './library/recording-repository.ts';
import { Watched } from './library/watched.ts';
import { recordAlerts } from './record-alerts.ts';
import { RecordService } from './record-service.ts';
import { RecordSettingsRepository } from './record-settings.ts';
import { watchRecordings } from './record-watch.ts';
import { Recorder } from './recorder/recorder.ts';
import { StorageGovernor } from './storage/storage-governor.ts';

interface Context {
  readonly config: { readonly filesDir: string };
  readonly store: Store;
  readonly events: Events;
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly mediaServer: Pick<MediaServer, 'lacks'>;
  /** For links to one recording; another after every session was ended. */
  readonly linkKey: () => Promise<Uint8Array>;
  readonly uploads: UploadQueue;
  readonly outgoing: OutgoingClient;
  readonly words: TranscriptIndex;
  readonly log: Log;
  readonly clock: Clock;
}

interface RecordFeature extends Feature {
  /** Streams are recorded, or have been. */
  isUsed(): Promise<boolean>;
  /** True if this stream is being recorded. */
  isRecording(place: WirePlace): boolean;
  /** True if the recording still exists. */
  has(uuid: string): Promise<boolean>;
}

/** Records streams on this server, finishes the files, and keeps, shows and archives them. */
export function recordFeature(context: Context): RecordFeature {
  const { config, store, events, segments, mediaServer, uploads, outgoing, words, linkKey, clock } = context;
  const log = context.log.child({ feature: 'record' });
  const bucket = new BucketService({
    repository: new BucketRepository(store),
    queue: uploads,
    outgoing,
    removeRecording: (uuid) => service.remove(uuid),
    log,
    clock,
  });
  const settings = new RecordSettingsRepository(store);
  const recordings = new RecordingRepository(store, clock);
  const files = new RecordingFiles(join(config.filesDir, 'record'));
  const toCopyDirectory = (typed: string) => copyDirectory(config.filesDir, typed);
  const governor = new StorageGovernor({
    home: files.home,
    settings,
    stored: () => service.stored(),
    remove: (uuid) => service.delete(uuid),
    onStopped: () => recorder.endAll(),
    log,
    clock,
  });
  // A separate SRS makes MPEG-TS only, whatever is chosen.
  const isMpegTsOnly = mediaServer.lacks.includes('hls-settings');
  const recorder: Recorder = new Recorder({
    settings: isMpegTsOnly ? { read: async () => ({ ...(await settings.read()), segmentFormat: 'mpegts' }) } : settings,
    recordings,
    files,
    events,
    words,
    room: governor,
    onFinished: () => finisher.wake(),
    onFirstSegment: (uuid) => finisher.wantThumbnail(uuid),
    log,
    clock,
  });
  const films = new RecordingCache(files, clock);
  const watched = new Watched(clock);
  const removal = new SegmentRemoval({
    recordings,
    files,
    settings,
    log,
    isWatched: (uuid) => watched.has(uuid),
    onRemoved: () => governor.wake(),
  });
  const finisher = new Finisher({
    recordings,
    files,
    settings,
    copyDirectory: toCopyDirectory,
    room: governor,
    archive: bucket,
    removal,
    events,
    words,
    onPicture: async (uuid) => {
      if (!recorder.notePicture(uuid)) await recordings.change(uuid, { hasThumbnail: true });
    },
    log,
    clock,
  });
  const service: RecordService = new RecordService({
    settings,
    segments,
    recordings,
    files,
    films,
    watched,
    recorder,
    finisher,
    governor,
    linkKey,
    clock,
    archive: bucket,
    words,
    copyDirectory: toCopyDirectory,
  });
  events.on('stream:ended', (stream) => recorder.publisherLeft(stream));

  return {
    routes: (http) => {
      recordRoutes(http, service);
      playbackRoutes(http, { service, files });
      bucketRoutes(http, bucket);
    },
    tasks: {
      recordings: watchRecordings({ recordings, files, films, recorder, governor, bucket, words, log, clock }),
      'finish-recordings': (signal) => finisher.run(signal),
    },
    alerts: async () => [
      ...recordAlerts({ rows: await service.rows(), storage: governor.alert(), nowMs: clock.dateMs() }),
      ...(await bucket.alerts()),
    ],
    segments: [recorder],
    uploads: { [bucketOwner]: bucket },
    isRecording: (place) => recorder.isRecording(place),
    has: async (uuid) => (await recordings.get(uuid)) !== undefined,
    reported: async () => {
      const { all, globs, subtitles, segmentFormat, rule } = await settings.read();
      return { all, globs, subtitles, segmentFormat, rule };
    },
    isUsed: async () => (await settings.read()).all || (await recordings.list()).length > 0,
  };
}

function recordRoutes(http: HttpApp, service: RecordService): void {
  http.route(recordApi.query, () => service.query());
  http.route(recordApi.apply, ({ all }) => service.apply(all));
  http.route(recordApi.globs, ({ globs }) => service.setGlobs(globs));
  http.route(recordApi.stream, ({ app, stream, record }) => service.switchStream({ app, stream }, record));
  http.route(recordApi.postProcessing, ({ postProcess, postCpDir }) =>
    service.setPostProcessing(postProcess, postCpDir),
  );
  http.route(recordApi.subtitles, ({ subtitles }) => service.setSubtitles(subtitles));
  http.route(recordApi.segmentFormat, ({ segmentFormat }) => service.setSegmentFormat(segmentFormat));
  http.route(recordApi.storage, (rule) => service.setStorage(rule));
  http.route(recordApi.files, () => service.list());
  http.route(recordApi.end, ({ uuid }) => service.end(uuid));
  http.route(recordApi.remove, ({ uuid }) => service.remove(uuid));
  http.route(recordApi.retry, ({ uuid }) => service.retry(uuid));
  http.route(recordApi.sign, ({ uuid }) => service.sign(uuid));
}
