import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { Task } from '../../core/task.ts';
import type { TranscriptIndex } from '../../transcript-index/transcript-index.ts';
import type { BucketService } from './bucket/bucket-service.ts';
import { adoptOrphans } from './library/adopt-orphans.ts';
import type { RecordingCache } from './library/recording-cache.ts';
import type { RecordingFiles } from './library/recording-files.ts';
import type { RecordingRepository } from './library/recording-repository.ts';
import type { Recorder } from './recorder/recorder.ts';
import type { StorageGovernor } from './storage/storage-governor.ts';

interface Context {
  readonly recordings: RecordingRepository;
  readonly files: RecordingFiles;
  readonly films: RecordingCache;
  readonly recorder: Recorder;
  readonly governor: StorageGovernor;
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
export function watchRecordings(context: Context): Task {
  const { recordings, files, films, recorder, governor, bucket, words, log, clock } = context;
  const resume = async () => {
    const rows = await recordings.list();
    const adopted = await adoptOrphans(files, new Set(rows.map(({ uuid }) => uuid)));
    for (const row of adopted) await recordings.put(row);
    await governor.check();
    await recorder.resume(rows);
    words.keepOnly(new Set([...rows, ...adopted].map(({ uuid }) => uuid)));
  };

  const look = async (count: number) => {
    // While nothing is recorded, room is looked at now and then.
    if (recorder.isBusy || !governor.mayRecord() || count % looksPerSave === 0) await governor.check();
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
