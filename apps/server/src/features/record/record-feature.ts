import { join } from 'node:path';
import { bucketApi, recordApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { Task } from '../../core/task.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import type { TranscriptIndex } from '../../transcript-index/transcript-index.ts';
import type { UploadQueue } from '../../uploads/upload-queue.ts';
import { BucketRepository } from './bucket/bucket-repository.ts';
import { BucketService, bucketOwner } from './bucket/bucket-service.ts';
import { copyDirectory } from './finish/copy-directory.ts';
import { FilmDelivery } from './finish/film-delivery.ts';
import { FilmMaker } from './finish/film-maker.ts';
import { Finisher } from './finish/finisher.ts';
import { SegmentRemoval } from './finish/segment-removal.ts';
import { ActivePlaybacks } from './library/active-playbacks.ts';
import { adoptOrphans } from './library/adopt-orphans.ts';
import { CurrentRows } from './library/current-rows.ts';
import { playbackRoutes } from './library/playback-routes.ts';
import { RecordingCache } from './library/recording-cache.ts';
import { RecordingFiles } from './library/recording-files.ts';
import { RecordingPlayback } from './library/recording-playback.ts';
import { RecordingRepository, type RecordingRow } from './library/recording-repository.ts';
import { recordAlerts } from './record-alerts.ts';
import { RecordService } from './record-service.ts';
import { RecordSettingsRepository } from './record-settings.ts';
import { RecordSettingsService } from './record-settings-service.ts';
import { Recorder } from './recorder/recorder.ts';
import { RecordingDisk, type RewindWindows } from './storage/recording-disk.ts';
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
  readonly windows?: RewindWindows;
  readonly log: Log;
  readonly clock: Clock;
}

interface RecordFeature extends Feature {
  /** Streams are recorded, or have been. */
  isUsed(): Promise<boolean>;
  /** True if this stream is being recorded. */
  isRecording(place: WirePlace): boolean;
  /** Recordings that run, as of their last segments. */
  running(): readonly RecordingRow[];
  /** True if the recording still exists. */
  has(uuid: string): Promise<boolean>;
}

/** Records streams on this server, finishes the files, and keeps, shows and archives them. */
export function recordFeature(context: Context): RecordFeature {
  const { config, store, events, segments, mediaServer, uploads, outgoing, words, linkKey, windows, clock } = context;
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
    disk: new RecordingDisk(files.home, windows),
    settings,
    stored: () => service.stored(),
    remove: (uuid) => service.delete(uuid),
    onStopped: () => recorder.endAll(),
    log,
    clock,
  });
  // A separate SRS produces only MPEG-TS.
  const isMpegTsOnly = mediaServer.lacks.includes('hls-settings');
  const recorder: Recorder = new Recorder({
    settings: isMpegTsOnly ? { read: async () => ({ ...(await settings.read()), segmentFormat: 'mpegts' }) } : settings,
    recordings,
    files,
    words,
    room: governor,
    observer: {
      began: (recording) => {
        events.emit('record:began', recording);
        finisher.wantThumbnail(recording.uuid);
      },
      ended: () => finisher.wake(),
    },
    log,
    clock,
  });
  const films = new RecordingCache(files, clock);
  const watched = new ActivePlaybacks(clock);
  const removal = new SegmentRemoval({
    recordings,
    files,
    settings,
    log,
    isWatched: (uuid) => watched.has(uuid),
    onRemoved: () => governor.wake(),
  });
  const filmMaker = new FilmMaker({
    recordings,
    files,
    settings,
    room: governor,
    words,
    onPicture: async (uuid) => {
      if (!recorder.notePicture(uuid)) await recordings.change(uuid, { hasThumbnail: true });
    },
    log,
  });
  const finisher = new Finisher({
    recordings,
    files,
    films: filmMaker,
    delivery: new FilmDelivery({ files, settings, copyDirectory: toCopyDirectory, archive: bucket }),
    removal,
    events,
    log,
    clock,
  });
  const rows = new CurrentRows({ recordings, recorder });
  const service: RecordService = new RecordService({
    rows,
    recordings,
    files,
    recorder,
    finisher,
    governor,
    archive: bucket,
    words,
  });
  const playback = new RecordingPlayback({ rows, files, films, watched, linkKey, words, clock });
  const administration = new RecordSettingsService({
    home: files.home,
    settings,
    segments,
    recorder,
    finisher,
    governor,
    copyDirectory: toCopyDirectory,
  });
  events.on('stream:ended', (stream) => recorder.publisherLeft(stream));

  return {
    routes: (http) => {
      recordRoutes(http, { service, administration, playback });
      playbackRoutes(http, { playback, files });
      bucketRoutes(http, bucket);
    },
    tasks: {
      recordings: watchRecordings({ recordings, files, films, recorder, governor, windows, bucket, words, log, clock }),
      'finish-recordings': (signal) => finisher.run(signal),
    },
    alerts: async () => [
      ...recordAlerts({ rows: await rows.list(), storage: governor.alert(), nowMs: clock.dateMs() }),
      ...(await bucket.alerts()),
    ],
    segments: [recorder],
    uploads: { [bucketOwner]: bucket },
    running: () => recorder.rows(),
    activity: {
      record: async () => {
        if (recorder.isBusy) return 'running';
        const { all, globs } = await settings.read();
        return all || globs.length > 0 ? 'idle' : undefined;
      },
    },
    isRecording: (place) => recorder.isRecording(place),
    has: async (uuid) => (await recordings.get(uuid)) !== undefined,
    reported: async () => {
      const { all, globs, subtitles, segmentFormat, qualities, rule } = await settings.read();
      return { all, globs, subtitles, segmentFormat, qualities, rule };
    },
    isUsed: async () => (await settings.read()).all || (await recordings.list()).length > 0,
  };
}

interface Services {
  readonly service: RecordService;
  readonly administration: RecordSettingsService;
  readonly playback: RecordingPlayback;
}

function recordRoutes(http: HttpApp, { service, administration, playback }: Services): void {
  http.route(recordApi.query, () => administration.query());
  http.route(recordApi.apply, ({ all }) => administration.apply(all));
  http.route(recordApi.globs, ({ globs }) => administration.setGlobs(globs));
  http.route(recordApi.stream, ({ app, stream, record }) => administration.switchStream({ app, stream }, record));
  http.route(recordApi.postProcessing, ({ postProcess, postCpDir }) =>
    administration.setPostProcessing(postProcess, postCpDir),
  );
  http.route(recordApi.subtitles, ({ subtitles }) => administration.setSubtitles(subtitles));
  http.route(recordApi.segmentFormat, ({ segmentFormat }) => administration.setSegmentFormat(segmentFormat));
  http.route(recordApi.qualities, ({ qualities }) => administration.setQualities(qualities));
  http.route(recordApi.storage, (rule) => administration.setStorage(rule));
  http.route(recordApi.files, () => service.list());
  http.route(recordApi.end, ({ uuid }) => service.end(uuid));
  http.route(recordApi.remove, ({ uuid }) => service.remove(uuid));
  http.route(recordApi.retry, ({ uuid }) => service.retry(uuid));
  http.route(recordApi.sign, ({ uuid }) => playback.sign(uuid));
}

function bucketRoutes(http: HttpApp, bucket: BucketService): void {
  http.route(bucketApi.query, () => bucket.query());
  http.route(bucketApi.apply, (next) => bucket.apply(next));
  http.route(bucketApi.test, (next) => bucket.test(next));
  http.route(bucketApi.retry, () => bucket.retry());
}

interface RecordWatchContext {
  readonly recordings: RecordingRepository;
  readonly files: RecordingFiles;
  readonly films: RecordingCache;
  readonly recorder: Recorder;
  readonly governor: StorageGovernor;
  readonly windows: { readonly isBusy: boolean } | undefined;
  readonly bucket: BucketService;
  readonly words: Pick<TranscriptIndex, 'keepOnly'>;
  readonly log: Log;
  readonly clock: Clock;
}

const lookMs = 1000;
const looksPerSync = 5;
const looksPerSave = 10;
const retryMs = 2000;

/** Periodic work on recordings: resume, end, sync, save, and storage rules. */
function watchRecordings(context: RecordWatchContext): Task {
  const { recordings, files, films, recorder, governor, windows, bucket, words, log, clock } = context;
  const resume = async () => {
    const rows = await recordings.list();
    const adopted = await adoptOrphans(files, new Set(rows.map(({ uuid }) => uuid)));
    for (const row of adopted) await recordings.put(row);
    await governor.check();
    await recorder.resume(rows);
    words.keepOnly(new Set([...rows, ...adopted].map(({ uuid }) => uuid)));
  };

  const look = async (count: number) => {
    // While nothing is recorded, free space is checked now and then.
    if (recorder.isBusy || windows?.isBusy || !governor.mayRecord() || count % looksPerSave === 0)
      await governor.check();
    await recorder.endSilent();
    if (count % looksPerSync === 0) await Promise.all([recorder.syncAll(), bucket.tidy()]);
    if (count % looksPerSave === 0) await Promise.all([recorder.saveAll(), films.tidy()]);
  };

  return async (signal) => {
    const pause = (ms: number) => clock.pause(ms, signal).catch(() => undefined);
    // The store or the disk may come later than this process.
    for (let isDone = false; !isDone && !signal.aborted; ) {
      isDone = await resume().then(
        () => true,
        (error: unknown) => {
          log.error({ err: error }, 'recordings could not be resumed yet');
          return false;
        },
      );
      if (!isDone) await pause(retryMs);
    }
    let isFailing = false;
    for (let count = 1; !signal.aborted; count++) {
      await pause(lookMs);
      if (signal.aborted) break;
      try {
        await look(count);
        isFailing = false;
      } catch (error) {
        // Once until it works again: a store that is away fails every second.
        if (!isFailing) log.warn({ err: error }, 'recordings could not be checked');
        isFailing = true;
      }
    }
    await recorder.syncAll().catch((error: unknown) => log.warn({ err: error }, 'recordings were not synced'));
    await recorder.saveAll().catch((error: unknown) => log.warn({ err: error }, 'recordings were not saved'));
  };
}
