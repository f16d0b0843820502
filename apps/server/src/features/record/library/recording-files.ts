import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FinishedSegment } from '@weir/engine-api';
import { linkFile } from '../../../core/link-file.ts';
import { initFileName, type LoggedSegment, segmentFileName } from '../../../segments/segment-log.ts';

type SegmentName = Pick<LoggedSegment, 'tsid' | 'format'>;
type KeptSegment = Pick<FinishedSegment, 'id' | 'format' | 'file' | 'init'>;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** File names in the folder of a recording. */
const ownName =
  /^(?:segments\.log|(?:index|thumbnail|run-\d+)\.m3u8|run-\d+\.ts|runs\.ffconcat|index\.(?:mp4|jpg)|words\.srt|init-[0-9a-f]{32}\.mp4|[0-9a-f-]{36}\.(?:ts|m4s))(?:\.tmp)?$/;
/** Sources of the finished file and intermediate files. */
const partName = /^init-|\.(?:ts|m4s|m3u8|ffconcat|srt|tmp)$/;

export function isUuid(text: string): boolean {
  return uuidForm.test(text);
}

/** File paths of recordings. Names consist of validated ids, so no path leaves the folder. */
export class RecordingFiles {
  readonly home: string;

  constructor(home: string) {
    this.home = home;
  }

  directory(uuid: string): string {
    if (!isUuid(uuid)) throw new Error('not the id of a recording');
    return join(this.home, uuid);
  }

  file(uuid: string, name: string): string {
    if (!ownName.test(name)) throw new Error('not a file of a recording');
    return join(this.directory(uuid), name);
  }

  segment(uuid: string, segment: SegmentName): string {
    if (!isUuid(segment.tsid)) throw new Error('not the id of a segment');
    return this.file(uuid, segmentFileName(segment));
  }

  init(uuid: string, id: string): string {
    return this.file(uuid, initFileName(id));
  }

  async create(uuid: string): Promise<void> {
    await mkdir(this.directory(uuid), { recursive: true, mode: 0o700 });
  }

  /** Moves a segment into place atomically and returns its size. Idempotent. */
  async keep(uuid: string, { id, format, file, init }: KeptSegment): Promise<number> {
    const to = this.segment(uuid, { tsid: id, format });
    // First: a segment that is there can be played.
    if (init) await linkFile(init.file, this.init(uuid, init.id));
    await linkFile(file, to);
    return (await stat(to)).size;
  }

  async drop(uuid: string, { id, format }: KeptSegment): Promise<void> {
    await rm(this.segment(uuid, { tsid: id, format }), { force: true });
  }

  /** Deletes what is ours in the directory of a recording, and the directory when nothing else is in it. */
  async remove(uuid: string): Promise<void> {
    const directory = this.directory(uuid);
    for (const name of await this.#ownNames(directory)) await rm(join(directory, name), { force: true });
    await rmdir(directory).catch((error: NodeJS.ErrnoException) => {
      if (!['ENOTEMPTY', 'ENOENT', 'ENOTDIR'].includes(error.code ?? '')) throw error;
    });
  }

  async hasSegments(uuid: string, segments: readonly SegmentName[]): Promise<boolean> {
    for (const each of segments) if (!(await stat(this.segment(uuid, each)).catch(() => undefined))) return false;
    return true;
  }

  /** Deletes what the finished file was made of: segments and the playlist that names them. */
  async dropSegments(uuid: string): Promise<void> {
    const directory = this.directory(uuid);
    for (const name of await this.#ownNames(directory)) {
      if (partName.test(name)) await rm(join(directory, name), { force: true });
    }
    await sync(directory).catch(() => undefined);
  }

  /** Size on the disk. */
  async bytesOf(uuid: string): Promise<number> {
    const directory = this.directory(uuid);
    let bytes = 0;
    for (const name of await this.#ownNames(directory)) {
      bytes += (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0;
    }
    return bytes;
  }

  /** Directories of recordings there are. */
  async uuids(): Promise<string[]> {
    const names = await readdir(this.home).catch(() => []);
    return names.filter(isUuid);
  }

  async #ownNames(directory: string): Promise<string[]> {
    const facts = await lstat(directory).catch(() => undefined);
    // A link in its place is not of our making, and leads who knows where.
    return facts?.isDirectory() ? (await readdir(directory)).filter((name) => ownName.test(name)) : [];
  }
}

export async function sync(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs the content before the rename, and the rename before this resolves. */
export async function publishFile(temporary: string, file: string, directory: string): Promise<void> {
  await sync(temporary);
  await rename(temporary, file);
  // Mounted buckets often know no such thing for directories.
  await sync(directory).catch(() => undefined);
}
