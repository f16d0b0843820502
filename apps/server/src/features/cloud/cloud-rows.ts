import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudMp4 } from '@weir/contract';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Collection, Store } from '../../core/store/store.ts';
import { type LoggedSegment, SegmentLog } from '../../segments/segment-log.ts';
import type { CloudKind } from './cloud-switches.ts';

/** Upload session of the video service, valid for one upload. Deleted when it ends. */
const VodSession = z.object({
  key: z.string(),
  secretId: z.string(),
  secretKey: z.string(),
  token: z.string(),
  expiresAtMs: z.number(),
});

/** The summary of one recording in the cloud. The log of its segments is beside it, on the disk. */
export const CloudRow = z.object({
  uuid: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** `finishing`: its playlist is on its way. */
  state: z.enum(['recording', 'finishing', 'done']).default('recording'),
  startedAtMs: z.number(),
  updatedAtMs: z.number(),
  segments: z.int().default(0),
  durationMs: z.number().default(0),
  bytes: z.number().default(0),
  /** Segments that could not be kept until they were uploaded, and the ids of those that were noted before. */
  lost: z.int().default(0),
  missing: z.array(z.string()).default([]),
  bucket: z.string().default(''),
  region: z.string().default(''),
  /** Name that the playlist must have in the video service. */
  path: z.string().default(''),
  session: VodSession.nullable().default(null),
  fileId: z.string().default(''),
  mediaUrl: z.string().default(''),
  definition: z.int().default(0),
  taskId: z.string().default(''),
  mp4: CloudMp4.nullable().default(null),
});
export type CloudRow = z.output<typeof CloudRow>;

/** Id of the upload that completes a recording. */
export const playlistId = (uuid: string) => `${uuid}-playlist`;

interface Context {
  readonly store: Store;
  readonly directory: string;
  readonly clock: Pick<Clock, 'dateMs'>;
}

/** Recordings of one kind: a row and a log of segments for each. */
export class CloudRows {
  readonly #rows: Collection<CloudRow>;
  readonly #directory: string;
  readonly #clock: Pick<Clock, 'dateMs'>;

  constructor(kind: CloudKind, { store, directory, clock }: Context) {
    this.#rows = store.collection(`cloud-${kind}`, CloudRow);
    this.#directory = directory;
    this.#clock = clock;
  }

  logFile(uuid: string): string {
    return join(this.#directory, `${uuid}.log`);
  }

  /** Segments that are in the cloud or on their way there. */
  async segmentsOf({ uuid, missing }: CloudRow): Promise<LoggedSegment[]> {
    return (await new SegmentLog(this.logFile(uuid)).read()).filter(({ tsid }) => !missing.includes(tsid));
  }

  get(uuid: string): Promise<CloudRow | undefined> {
    return this.#rows.get(uuid);
  }

  /** Last changed first. */
  async list(): Promise<CloudRow[]> {
    const rows = (await this.#rows.list()).map(({ value }) => value);
    return rows.sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  }

  put(row: CloudRow): Promise<void> {
    return this.#rows.put(row.uuid, row);
  }

  async change(uuid: string, change: (row: CloudRow) => Partial<CloudRow>): Promise<CloudRow> {
    return this.#rows.update(uuid, (row) => {
      if (!row) throw new Error('there is no such recording in the cloud');
      return { ...row, ...change(row), updatedAtMs: this.#clock.dateMs() };
    });
  }

  async delete(uuid: string): Promise<void> {
    await this.#rows.delete(uuid);
    await rm(this.logFile(uuid), { force: true });
  }
}
