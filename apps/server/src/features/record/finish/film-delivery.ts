import { WeirError } from '../../../core/errors.ts';
import { JobError, toJobError } from '../../../process-reports/job-error.ts';
import type { RecordingArchive } from '../bucket/recording-archive.ts';
import type { RecordingFiles } from '../library/recording-files.ts';
import type { RecordingRow } from '../library/recording-repository.ts';
import type { RecordSettingsRepository } from '../record-settings.ts';
import type { Work } from './film-maker.ts';

interface Context {
  readonly files: RecordingFiles;
  readonly settings: Pick<RecordSettingsRepository, 'read'>;
  /** The real directory a typed one means; throws when it may not be used. */
  readonly copyDirectory: (typed: string) => Promise<string>;
  readonly archive: Pick<RecordingArchive, 'offer'>;
}

/** Brings the file of a recording to where the owner wants it: a directory, a bucket. */
export class FilmDelivery {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The file of the copy; empty when none is wanted. */
  async copy({ uuid, copy }: RecordingRow, { onPercent, signal }: Work): Promise<string> {
    const { settings, copyDirectory, files } = this.#context;
    const { processCpDir } = await settings.read();
    if (processCpDir === '') return copy;
    const { copyWhole } = await import('./copy-file.ts');
    try {
      const directory = await copyDirectory(processCpDir);
      const from = files.file(uuid, 'index.mp4');
      return await copyWhole({ from, directory, name: `${uuid}.mp4`, onPercent, signal });
    } catch (error) {
      const reason = error instanceof WeirError ? error.message : toJobError(error).message;
      throw new JobError('copy', `the file could not be copied: ${reason}`, { cause: error });
    }
  }

  async offer({ uuid, app, stream, startedAtMs }: RecordingRow): Promise<void> {
    const { archive, files } = this.#context;
    await archive.offer({ uuid, app, stream, startedAtMs, file: files.file(uuid, 'index.mp4') });
  }
}
