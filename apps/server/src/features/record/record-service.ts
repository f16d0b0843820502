import {
  postProcessCopy,
  RecordGlobs,
  type Recording,
  type RecordSettings,
  type RecordStorageRule,
  switchStreamRecording,
} from '@weir/contract';
import type { SegmentFormatName } from '@weir/streams';
import { WeirError } from '../../core/errors.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import type { TranscriptIndex } from '../../transcript-index/transcript-index.ts';
import type { RecordingArchive } from './bucket/recording-archive.ts';
import type { Finisher } from './finish/finisher.ts';
import type { CurrentRows } from './library/current-rows.ts';
import type { RecordingFiles } from './library/recording-files.ts';
import {
  isOver,
  type RecordingRepository,
  type RecordingRow,
  toRecording,
  totalBytes,
} from './library/recording-repository.ts';
import type { RecordSettingsRepository } from './record-settings.ts';
import type { Recorder } from './recorder/recorder.ts';
import type { StorageGovernor } from './storage/storage-governor.ts';
import type { Stored } from './storage/storage-plan.ts';

interface Context {
  readonly rows: CurrentRows;
  readonly recordings: Pick<RecordingRepository, 'delete'>;
  readonly files: Pick<RecordingFiles, 'remove'>;
  readonly recorder: Pick<Recorder, 'end'>;
  readonly finisher: Pick<Finisher, 'percent' | 'retry' | 'letGo' | 'isWorkingOn'>;
  readonly governor: Pick<StorageGovernor, 'wake'>;
  readonly archive: RecordingArchive;
  readonly words: Pick<TranscriptIndex, 'hasSpoken' | 'forget'>;
}

/** List of the recordings, and what an administrator does with them. */
export class RecordService {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async list(): Promise<Recording[]> {
    const { finisher, archive, words, rows: current } = this.#context;
    const uploads = await archive.uploads();
    const rows = (await current.list()).sort((a, b) => b.updatedAtMs - a.updatedAtMs);
    return rows.map((row) =>
      toRecording(row, {
        percent: finisher.percent(row.uuid),
        upload: uploads.get(row.uuid) ?? null,
        transcript: words.hasSpoken(row.uuid),
      }),
    );
  }

  end(uuid: string): Promise<void> {
    return this.#context.recorder.end(uuid);
  }

  async retry(uuid: string): Promise<void> {
    await this.#context.rows.find(uuid);
    await this.#context.finisher.retry(uuid);
  }

  async remove(uuid: string): Promise<void> {
    const row = await this.#context.rows.find(uuid);
    if (row.state === 'recording') throw new WeirError('invalid_input', 'this recording is in progress, end it first');
    // A finished recording may still be removing its segments, which is quick and no reason to refuse.
    if (isOver(row)) await this.#context.finisher.letGo(uuid);
    if (this.#context.finisher.isWorkingOn(uuid))
      throw new WeirError('invalid_input', 'this recording is being finished, try again later');
    await this.delete(uuid);
    this.#context.governor.wake();
  }

  /** Files first: of a crash between the two a row without files remains, which can be removed again. */
  async delete(uuid: string): Promise<void> {
    await this.#context.files.remove(uuid);
    await this.#context.recordings.delete(uuid);
    await this.#context.archive.forget(uuid);
    this.#context.words.forget(uuid);
  }

  /** Recordings not yet in the bucket are kept: removing them would lose both copies. */
  async stored(): Promise<Stored[]> {
    const uploads = await this.#context.archive.uploads();
    const isOnItsWay = (uuid: string) => ['waiting', 'uploading'].includes(uploads.get(uuid)?.state ?? '');
    return (await this.#context.rows.list()).map((row) => ({
      uuid: row.uuid,
      startedAtMs: row.startedAtMs,
      endedAtMs: row.endedAtMs,
      totalBytes: totalBytes(row),
      isOver: (isOver(row) || this.#waitsForRoom(row)) && !isOnItsWay(row.uuid),
    }));
  }

  /**
   * A finished recording that lacks space for its file may itself be removed as the oldest, or no space would ever be
   * freed.
   */
  #waitsForRoom({ uuid, state, failure }: RecordingRow): boolean {
    return state === 'finishing' && failure === 'no-space' && !this.#context.finisher.isWorkingOn(uuid);
  }
}

interface RecordSettingsContext {
  readonly home: string;
  readonly settings: RecordSettingsRepository;
  /** Re-evaluates whether the engine must write segments. */
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly recorder: Pick<Recorder, 'switched' | 'endStream'>;
  readonly finisher: Pick<Finisher, 'wake'>;
  readonly governor: Pick<StorageGovernor, 'report' | 'wake' | 'check'>;
  /** Throws when a typed directory may not be used. */
  readonly copyDirectory: (typed: string) => Promise<string>;
}

/** Settings of recording, and the effects of their changes. */
export class RecordSettingsService {
  readonly #context: RecordSettingsContext;

  constructor(context: RecordSettingsContext) {
    this.#context = context;
  }

  async query(): Promise<RecordSettings> {
    const { settings, home, governor } = this.#context;
    const stored = await settings.read();
    return { ...stored, home, storage: await governor.report() };
  }

  async apply(all: boolean): Promise<void> {
    const { settings, recorder, segments } = this.#context;
    const { all: wasOn } = await settings.read();
    await settings.change({ all });
    if (all !== wasOn) recorder.switched();
    await segments.changed();
  }

  async setGlobs(globs: string[]): Promise<void> {
    await this.#context.settings.change({ globs });
  }

  /** Adds or removes the stream's own name; a recording of it in progress ends at once. */
  async switchStream(place: { app: string; stream: string }, isOn: boolean): Promise<void> {
    const { settings, recorder, segments } = this.#context;
    const { all: wasOn } = await settings.read();
    const { all } = await settings.change((current) => {
      const next = switchStreamRecording(current, place, isOn);
      if (!next) throw new WeirError('invalid_input', 'another rule records this stream: change the rules');
      const globs = RecordGlobs.safeParse([...next.globs]);
      if (!globs.success) throw new WeirError('invalid_input', 'there are too many rules: remove some first');
      return { all: next.all, globs: globs.data };
    });
    if (all !== wasOn) recorder.switched();
    await segments.changed();
    if (!isOn) await recorder.endStream(place);
  }

  async setPostProcessing(kind: string, directory: string): Promise<void> {
    if (kind !== postProcessCopy) throw new WeirError('invalid_input', `postProcess: must be ${postProcessCopy}`);
    if (directory !== '') await this.#context.copyDirectory(directory);
    await this.#context.settings.change({ processCpDir: directory });
  }

  async setSubtitles(subtitles: boolean): Promise<void> {
    await this.#context.settings.change({ subtitles });
  }

  /** For recordings that begin from now on. */
  async setSegmentFormat(segmentFormat: SegmentFormatName): Promise<void> {
    await this.#context.settings.change({ segmentFormat });
    await this.#context.segments.changed();
  }

  async setStorage(rule: RecordStorageRule): Promise<void> {
    const { settings, governor, finisher } = this.#context;
    await settings.change({ rule });
    governor.wake();
    await governor.check();
    finisher.wake();
  }
}
