import { type Recording, type RecordingUpload, recordFailures, recordStates } from '@weir/contract';
import * as z from 'zod';
import type { Clock } from '../../../core/clock.ts';
import type { Collection, Store } from '../../../core/store/store.ts';
import { isUuid } from './recording-files.ts';

/** Summary of one recording. While it runs, its segment log is newer. */
export const RecordingRow = z.object({
  uuid: z.string().refine(isUuid),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Lower quality of the stream; empty for the stream itself. */
  quality: z.string().default(''),
  state: z.enum(recordStates),
  startedAtMs: z.number(),
  /** 0 while it is recorded. */
  endedAtMs: z.number().default(0),
  updatedAtMs: z.number(),
  segments: z.int().default(0),
  durationMs: z.number().default(0),
  bytes: z.number().default(0),
  discontinuities: z.int().default(0),
  lost: z.int().default(0),
  mp4Bytes: z.number().default(0),
  hasThumbnail: z.boolean().default(false),
  failure: z.enum(recordFailures).default(''),
  error: z.string().default(''),
  tries: z.int().default(0),
  nextTryAtMs: z.number().default(0),
  copy: z.string().default(''),
  /** State of the segments once the file exists: see `SegmentRemoval`. */
  segmentsAre: z.enum(['kept', 'leaving', 'removing', 'gone']).default('kept'),
  /** Size of its folder, measured when it was finished; 0 before. */
  diskBytes: z.number().default(0),
  /** Events sent for start and end: each once, also across restarts. */
  beginTold: z.boolean().default(false),
  endTold: z.boolean().default(false),
});
export type RecordingRow = z.output<typeof RecordingRow>;

export class RecordingRepository {
  readonly #rows: Collection<RecordingRow>;
  readonly #clock: Pick<Clock, 'dateMs'>;

  constructor(store: Store, clock: Pick<Clock, 'dateMs'>) {
    this.#clock = clock;
    this.#rows = store.collection('recordings', RecordingRow);
  }

  get(uuid: string): Promise<RecordingRow | undefined> {
    return this.#rows.get(uuid);
  }

  async list(): Promise<RecordingRow[]> {
    return (await this.#rows.list()).map(({ value }) => value);
  }

  put(row: RecordingRow): Promise<void> {
    return this.#rows.put(row.uuid, row);
  }

  /** Undefined if the recording was removed since. */
  async change(uuid: string, change: Partial<RecordingRow>): Promise<RecordingRow | undefined> {
    return this.note(uuid, { ...change, updatedAtMs: this.#clock.dateMs() });
  }

  /** A change that is none to people: the time of the last one stays. */
  async note(uuid: string, change: Partial<RecordingRow>): Promise<RecordingRow | undefined> {
    if ((await this.#rows.get(uuid)) === undefined) return undefined;
    return this.#rows.update(uuid, (current) => RecordingRow.parse({ ...current, ...change }));
  }

  /** Counted by several who do not know of each other; nothing of a recording that is gone. */
  async addLost(uuid: string, count: number): Promise<void> {
    if (count === 0 || (await this.#rows.get(uuid)) === undefined) return;
    await this.#rows.update(uuid, (current) => RecordingRow.parse({ ...current, lost: (current?.lost ?? 0) + count }));
  }

  async delete(uuid: string): Promise<void> {
    await this.#rows.delete(uuid);
  }
}

type Sizes = Pick<RecordingRow, 'bytes' | 'mp4Bytes' | 'diskBytes'>;

export function totalBytes({ bytes, mp4Bytes, diskBytes }: Sizes): number {
  return diskBytes === 0 ? bytes + mp4Bytes : diskBytes;
}

/** True if it is played from its file alone, also as segments. */
export function isFilm({ segmentsAre }: Pick<RecordingRow, 'segmentsAre'>): boolean {
  return segmentsAre === 'removing' || segmentsAre === 'gone';
}

export function isOver({ state }: Pick<RecordingRow, 'state'>): boolean {
  return state === 'done' || state === 'failed';
}

/** Recording for clients. */
export function toRecording(
  row: RecordingRow,
  { percent, upload, transcript }: { percent: number | null; upload: RecordingUpload | null; transcript: boolean },
): Recording {
  return {
    uuid: row.uuid,
    vhost: row.vhost,
    app: row.app,
    stream: row.stream,
    quality: row.quality,
    progress: !isOver(row),
    update: dateOf(row.updatedAtMs),
    nn: row.segments,
    duration: row.durationMs / 1000,
    size: isFilm(row) ? row.mp4Bytes : row.bytes,
    state: row.state,
    startedAt: dateOf(row.startedAtMs),
    endedAt: dateOf(row.endedAtMs),
    discontinuities: row.discontinuities,
    lost: row.lost,
    mp4Bytes: row.mp4Bytes,
    totalBytes: totalBytes(row),
    thumbnail: row.hasThumbnail,
    transcript,
    percent,
    failure: row.failure,
    error: row.error,
    tries: row.tries,
    nextTry: dateOf(row.nextTryAtMs),
    copy: row.copy,
    upload,
  };
}

function dateOf(ms: number): string {
  return ms === 0 ? '' : new Date(ms).toISOString();
}
