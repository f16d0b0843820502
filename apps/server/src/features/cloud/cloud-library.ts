import type { Log } from '@weir/plane';
import { WeirError } from '../../core/errors.ts';
import { segmentPlaylist } from '../../segments/segment-playlist.ts';
import type { UploadJob } from '../../uploads/upload-job.ts';
import type { UploadOwner, UploadPlace } from '../../uploads/upload-owner.ts';
import type { UploadQueue } from '../../uploads/upload-queue.ts';
import { type CloudRow, type CloudRows, playlistId } from './cloud-rows.ts';
import type { CloudSink } from './cloud-sink.ts';
import type { CloudKind } from './cloud-switches.ts';

interface Context {
  readonly kind: CloudKind;
  readonly rows: CloudRows;
  readonly queue: Pick<UploadQueue, 'waitingIn'>;
  readonly sink: CloudSink;
  readonly log: Log;
}

/** State of every recording in the cloud: chooses where files go and records what has arrived. */
export class CloudLibrary implements UploadOwner {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async list(): Promise<{ row: CloudRow; waiting: number }[]> {
    const rows = await this.#context.rows.list();
    return Promise.all(rows.map(async (row) => ({ row, waiting: await this.#waiting(row) })));
  }

  /** Playlist of the segments that have arrived. */
  async playlist(uuid: string): Promise<string> {
    const { rows, sink } = this.#context;
    const row = await rows.get(uuid);
    if (!row) throw new WeirError('not_found', 'there is no cloud recording with this id');
    const segments = await rows.segmentsOf(row);
    const there = segments.slice(0, Math.max(0, segments.length - (await this.#waiting(row))));
    if (there.length === 0) throw new WeirError('not_found', 'this recording has not been uploaded yet');
    return segmentPlaylist(there, { isOpen: row.state !== 'done', uri: (name) => sink.urlOf(row, name) });
  }

  async placeFor(job: UploadJob): Promise<UploadPlace> {
    const row = await this.#context.rows.get(job.lane);
    if (!row) throw new Error('the recording of this upload no longer exists');
    return this.#context.sink.placeFor(row, job);
  }

  async uploaded(job: UploadJob): Promise<void> {
    const { rows, sink, log } = this.#context;
    if (job.id !== playlistId(job.lane)) return;
    const row = await rows.get(job.lane);
    if (!row) return;
    const change = await sink.finish(row);
    await rows.change(row.uuid, () => ({ ...change, state: 'done' }));
    log.info(
      { uuid: row.uuid, app: row.app, stream: row.stream, segments: row.segments },
      'recording uploaded to the cloud',
    );
  }

  async gone({ id, lane }: UploadJob): Promise<void> {
    await this.#context.rows.change(lane, ({ lost, missing }) => ({ lost: lost + 1, missing: [...missing, id] }));
  }

  /** Segments that are not uploaded yet; a playlist is none. */
  async #waiting({ uuid, state }: CloudRow): Promise<number> {
    const { queue, kind } = this.#context;
    if (state === 'done') return 0;
    return Math.max(0, (await queue.waitingIn(kind, uuid)) - (state === 'finishing' ? 1 : 0));
  }
}
