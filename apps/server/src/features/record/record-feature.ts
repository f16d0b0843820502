import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Events } from '../../core/events.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import type { UploadQueue } from '../../uploads/upload-queue.ts';
import { BucketRepository } from './bucket/bucket-repository.ts';
import { bucketRoutes } from './bucket/bucket-routes.ts';
import { BucketService } from './bucket/bucket-service.ts';
import { copyDirectory } from './finish/copy-directory.ts';
import { Finisher } from './finish/finisher.ts';
import { SegmentRemoval } from './finish/segment-removal.ts';
import { adoptOrphans } from './library/adopt-orphans.ts';
import { FilmShelf } from './library/film-shelf.ts';
import { playbackRoutes } from './library/playback-routes.ts';
import { RecordingFiles } from './library/recording-files.ts';
import { RecordingRepository } from './library/recording-repository.ts';
import { Watched } from './library/watched.ts';
import { recordAlerts } from './record-alerts.ts';
import { RecordService } from './record-service.ts';
import { RecordSettingsRepository } from './record-settings.ts';
import { Recorder } from './recorder/recorder.ts';
import { StorageGovernor } from './storage/storage-governor.ts';

interface Context {
  readonly dataDir: string;
  readonly store: Store;
  readonly events: Events;
  readonly segments: Pick<SegmentFeed, 'add'>;
  /** For links to one recording; another after every session was ended. */
  readonly linkKey: () => Promise<Uint8Array>;
  readonly uploads: UploadQueue;
  readonly outgoing: OutgoingClient;
  readonly log: Log;
}

const lookMs = 1000;
const looksPerSync = 5;
const looksPerSave = 10;
const retryMs = 2000;

export function createRecord(context: Context) {
  const { dataDir, store, events, segments, uploads, outgoing, linkKey } = context;
  const log = context.log.child({ feature: 'record' });
  const bucket = new BucketService({
    repository: new BucketRepository(store),
    queue: uploads,
    outgoing,
    removeRecording: (uuid) => service.remove(uuid),
    log,
  });
  const settings = new RecordSettingsRepository(store);
  const recordings = new RecordingRepository(store);
  const files = new RecordingFiles(join(dataDir, 'record'));
  const toCopyDirectory = (typed: string) => copyDirectory(dataDir, typed);
  const governor = new StorageGovernor({
    home: files.home,
    settings,
    stored: () => service.stored(),
    remove: (uuid) => service.delete(uuid),
    onStopped: () => recorder.endAll(),
    log,
  });
  const recorder: Recorder = new Recorder({
    settings,
    recordings,
    files,
    events,
    room: governor,
    onFinished: () => finisher.wake(),
    onFirstSegment: (uuid) => finisher.wantThumbnail(uuid),
    log,
  });
  const films = new FilmShelf(files);
  const watched = new Watched();
  const removal = new SegmentRemoval({
    ...{ recordings, files, settings, log },
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
    onPicture: async (uuid) => {
      if (!recorder.notePicture(uuid)) await recordings.change(uuid, { hasThumbnail: true });
    },
    log,
  });
  const service: RecordService = new RecordService({
    ...{ settings, recordings, files, films, watched, recorder, finisher, governor, linkKey, archive: bucket },
    copyDirectory: toCopyDirectory,
  });
  segments.add(recorder);
  events.on('stream:ended', (stream) => recorder.publisherLeft(stream));

  const resume = async () => {
    const rows = await recordings.list();
    const adopted = await adoptOrphans(files, new Set(rows.map(({ uuid }) => uuid)));
    for (const row of adopted) await recordings.put(row);
    await governor.check();
    await recorder.resume(rows);
  };

  /** Everything about recordings that time brings. */
  const watch = async (signal: AbortSignal) => {
    await untilDone(resume, signal, log);
    let isFailing = false;
    for (let look = 1; !signal.aborted; look++) {
      await sleep(lookMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      try {
        // While nothing is recorded, room is looked at now and then.
        if (recorder.isBusy || !governor.mayRecord() || look % looksPerSave === 0) await governor.check();
        await recorder.endSilent();
        if (look % looksPerSync === 0) await Promise.all([recorder.syncAll(), bucket.tidy()]);
        if (look % looksPerSave === 0) await Promise.all([recorder.saveAll(), films.tidy()]);
        isFailing = false;
      } catch (error) {
        // Once until it works again: a store that is away fails every second.
        if (!isFailing) log.warn({ err: error }, 'recordings cannot be looked after');
        isFailing = true;
      }
    }
    await recorder.syncAll().catch((error: unknown) => log.warn({ err: error }, 'recordings were not synced'));
    await recorder.saveAll().catch((error: unknown) => log.warn({ err: error }, 'recordings were not saved'));
  };

  return {
    service,
    files,
    bucket,
    /** Streams are recorded, or have been. */
    isUsed: async () => (await settings.read()).all || (await recordings.list()).length > 0,
    alerts: async () => [
      ...recordAlerts({ rows: await service.rows(), storage: governor.alert(), nowMs: Date.now() }),
      ...(await bucket.alerts()),
    ],
    watch,
    finish: (signal: AbortSignal) => finisher.run(signal),
  };
}

/** The store or the disk may come later than this process. */
async function untilDone(work: () => Promise<void>, signal: AbortSignal, log: Log): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
      return;
    } catch (error) {
      log.error({ err: error }, 'recordings cannot be taken up yet');
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

export function recordRoutes(
  http: HttpApp,
  { service, files, bucket }: Pick<ReturnType<typeof createRecord>, 'service' | 'files' | 'bucket'>,
): void {
  http.route(recordApi.query, () => service.query());
  http.route(recordApi.apply, ({ all }) => service.apply(all));
  http.route(recordApi.globs, ({ globs }) => service.setGlobs(globs));
  http.route(recordApi.postProcessing, ({ postProcess, postCpDir }) =>
    service.setPostProcessing(postProcess, postCpDir),
  );
  http.route(recordApi.storage, (rule) => service.setStorage(rule));
  http.route(recordApi.files, () => service.list());
  http.route(recordApi.end, ({ uuid }) => service.end(uuid));
  http.route(recordApi.remove, ({ uuid }) => service.remove(uuid));
  http.route(recordApi.retry, ({ uuid }) => service.retry(uuid));
  http.route(recordApi.sign, ({ uuid }) => service.sign(uuid));
  playbackRoutes(http, { service, files });
  bucketRoutes(http, bucket);
}
