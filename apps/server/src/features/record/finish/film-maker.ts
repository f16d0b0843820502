import type { Log } from '@weir/plane';
import { JobError } from '../../../process-reports/job-error.ts';
import { SegmentLog, sumSegments } from '../../../segments/segment-log.ts';
import type { TranscriptIndex } from '../../../transcript-index/transcript-index.ts';
import { publishFile, type RecordingFiles } from '../library/recording-files.ts';
import type { RecordingRepository, RecordingRow } from '../library/recording-repository.ts';
import type { RecordSettingsRepository } from '../record-settings.ts';

interface Context {
  readonly recordings: Pick<RecordingRepository, 'change' | 'addLost'>;
  readonly files: RecordingFiles;
  readonly settings: Pick<RecordSettingsRepository, 'read'>;
  readonly room: { makeRoomFor(bytes: number, uuid: string): Promise<boolean> };
  readonly words: Pick<TranscriptIndex, 'arrange' | 'languageOf' | 'spokenIn'>;
  /** Called for a recording in progress. */
  readonly onPicture: (uuid: string) => Promise<void>;
  readonly log: Log;
}

export interface Work {
  readonly onPercent: (percent: number) => void;
  readonly signal: AbortSignal;
}

/** Makes the MP4 file and the picture of a recording from its segments. */
export class FilmMaker {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Undefined for a recording that was removed meanwhile. */
  async make(row: RecordingRow, { onPercent, signal }: Work): Promise<RecordingRow | undefined> {
    const { recordings, files, room, words, settings, log } = this.#context;
    const { uuid } = row;
    const { intactSegments, makeMp4 } = await makers();
    const segmentLog = new SegmentLog(files.file(uuid, 'segments.log'));
    const logged = await segmentLog.read();
    const segments = await intactSegments(files, uuid, logged);
    if (segments.length === 0) throw new JobError('no-segments', 'the segments cannot be read', { isFinal: true });
    const totals = sumSegments(segments);
    if (!(await room.makeRoomFor(totals.bytes, uuid))) {
      throw new JobError('no-space', `the MP4 file needs ${Math.ceil(totals.bytes / 1024 ** 2)} MB of free space`);
    }
    words.arrange(uuid, segments);
    const cues = (await settings.read()).subtitles ? words.spokenIn(uuid) : [];
    const onLeftOut = (durationMs: number, error: JobError) =>
      log.warn(
        { uuid, durationMs, reason: error.message },
        'part of a recording could not be converted and was skipped',
      );
    const language = words.languageOf(uuid);
    const film = await makeMp4({ files, uuid, segments, cues, language, onPercent, onLeftOut, signal });
    // From here on the log describes the content of the file.
    if (segments.length < logged.length) {
      const directory = files.directory(uuid);
      await segmentLog.rewrite(segments, (temporary, file) => publishFile(temporary, file, directory));
    }
    const hasThumbnail = row.hasThumbnail || (await this.#pictureOf(uuid, signal));
    await recordings.addLost(uuid, logged.length - segments.length);
    // The duration of the file, which players show; the sum of the segments differs where media is missing.
    const facts = { ...totals, durationMs: film.durationMs, mp4Bytes: film.bytes };
    return recordings.change(uuid, { ...facts, hasThumbnail, state: 'copying', tries: 0 });
  }

  /** Picture of a recording that may still run. */
  async picture(uuid: string, signal: AbortSignal): Promise<void> {
    try {
      if (await this.#pictureOf(uuid, signal)) await this.#context.onPicture(uuid);
    } catch (error) {
      if (!signal.aborted) this.#context.log.warn({ uuid, err: error }, 'thumbnail of a recording could not be made');
    }
  }

  async #pictureOf(uuid: string, signal: AbortSignal): Promise<boolean> {
    const { files } = this.#context;
    const [first] = await new SegmentLog(files.file(uuid, 'segments.log')).read();
    const { makeThumbnail } = await makers();
    return first ? makeThumbnail(files, { uuid, segment: first, signal }) : false;
  }
}

/** Loaded by the first recording: an idle server does without. */
function makers() {
  return import('./make-mp4.ts');
}
