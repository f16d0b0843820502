import { WeirError } from '../../../core/errors.ts';
import type { Recorder } from '../recorder/recorder.ts';
import { isUuid } from './recording-files.ts';
import type { RecordingRepository, RecordingRow } from './recording-repository.ts';

interface Context {
  readonly recordings: Pick<RecordingRepository, 'list' | 'get'>;
  readonly recorder: Pick<Recorder, 'running'>;
}

/** Rows of recordings as they are now: the store has those that run a little late. */
export class CurrentRows {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async list(): Promise<RecordingRow[]> {
    const { recordings, recorder } = this.#context;
    return (await recordings.list()).map((row) => recorder.running(row.uuid) ?? row);
  }

  /** Rejects with `not_found` where there is none. */
  async find(uuid: string): Promise<RecordingRow> {
    const { recordings, recorder } = this.#context;
    const row = isUuid(uuid) ? (recorder.running(uuid) ?? (await recordings.get(uuid))) : undefined;
    if (!row) throw new WeirError('not_found', 'there is no recording with this id');
    return row;
  }
}
