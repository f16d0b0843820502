import type { Recording } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';
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
