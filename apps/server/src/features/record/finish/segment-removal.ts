import type { Log } from '@weir/plane';
import { SegmentLog } from '../../../segments/segment-log.ts';
import type { RecordingFiles } from '../library/recording-files.ts';
import type { RecordingRepository, RecordingRow } from '../library/recording-repository.ts';
import type { RecordSettingsRepository } from '../record-settings.ts';

interface Context {
  readonly recordings: Pick<RecordingRepository, 'note'>;
  readonly files: Pick<RecordingFiles, 'file' | 'hasSegments' | 'dropSegments' | 'bytesOf'>;
  readonly settings: Pick<RecordSettingsRepository, 'read'>;
  /** True while these segments are played: a change of the clock would break playback. */
  readonly isWatched: (uuid: string) => boolean;
  readonly onRemoved: () => void;
  readonly log: Log;
}

/**
 * Takes the segments of a finished recording away once its file holds all of them. Each step is in the row before the next
 * begins: `leaving` (to be verified), `removing` (verified, everything is served from the file), `gone`. So a process that
 * is killed anywhere goes on there, and nothing is ever deleted that the file was not seen to hold.
 */
export class SegmentRemoval {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  isDue({ uuid, state, segmentsAre }: RecordingRow): boolean {
    if (state !== 'done') return false;
    return segmentsAre === 'removing' || (segmentsAre === 'leaving' && !this.#context.isWatched(uuid));
  }

  async work(row: RecordingRow): Promise<void> {
    const { recordings, files, onRemoved, log } = this.#context;
    const { uuid } = row;
    if (row.segmentsAre === 'leaving') {
      const next = (await this.#mayGo(uuid)) ? 'removing' : 'kept';
      await recordings.note(uuid, { segmentsAre: next });
      if (next === 'kept') return;
    }
    await files.dropSegments(uuid);
    await recordings.note(uuid, { segmentsAre: 'gone', diskBytes: await files.bytesOf(uuid) });
    onRemoved();
    log.info({ uuid }, 'segments of a finished recording removed');
  }

  async #mayGo(uuid: string): Promise<boolean> {
    const { files, settings, log } = this.#context;
    const logged = await new SegmentLog(files.file(uuid, 'segments.log')).read();
    const { rule } = await settings.read();
    if (rule.keepSegments && (await files.hasSegments(uuid, logged))) return false;
    try {
      const { Mp4Recording } = await import('../library/mp4-recording.ts');
      await (await Mp4Recording.open(files.file(uuid, 'index.mp4'), logged)).verify(logged);
      return true;
    } catch (error) {
      log.warn({ uuid, err: error }, 'segments of a finished recording were kept: its file could not be verified');
      return false;
    }
  }
}
