import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../core/errors.ts';
import { uploadFolder } from '../core/server-files.ts';
import type { SourceRecord } from './source-repository.ts';

const acceptedFolder = 'vlive';
const oldListMs = 24 * 3600 * 1000;
/** Disk space kept free for settings, recordings and logs. */
const keptFreeBytes = 512 * 1024 * 1024;

/** File paths of sources. Names consist of an id and a known extension; nothing typed is part of one. */
export class SourceFolders {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async make(): Promise<void> {
    await mkdir(join(this.#dataDir, uploadFolder), { recursive: true });
    await mkdir(join(this.#dataDir, acceptedFolder), { recursive: true });
  }

  /** Path for clients, relative to the data directory. */
  target({ uuid, extension, state }: SourceRecord): string {
    return `${state === 'accepted' ? acceptedFolder : uploadFolder}/${uuid}${extension}`;
  }

  file(record: SourceRecord): string {
    return join(this.#dataDir, this.target(record));
  }

  /** Path of an incomplete file. */
  part(uuid: string): string {
    return join(this.#dataDir, uploadFolder, `${uuid}.part`);
  }

  /** For a downloader, which makes several files. */
  workshop(uuid: string): string {
    return join(this.#dataDir, uploadFolder, `${uuid}.download`);
  }

  list(name: string): string {
    return join(this.#dataDir, acceptedFolder, `${name}.ffconcat`);
  }

  /** Old playlists. Programs read theirs at start, and get a new one if needed. */
  async removeOldLists(nowMs: number): Promise<void> {
    const folder = join(this.#dataDir, acceptedFolder);
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((one) => /^[0-9a-f]{32}\.ffconcat(?:\.part)?$/.test(one))) {
      const path = join(folder, name);
      const facts = await stat(path).catch(() => undefined);
      if (facts && nowMs - facts.mtimeMs > oldListMs) await rm(path, { force: true });
    }
  }

  /** To where accepted sources lie. */
  async accept(record: SourceRecord): Promise<void> {
    await rename(this.file(record), this.file({ ...record, state: 'accepted' }));
  }

  /** Removes all files of a source. */
  async remove(record: SourceRecord): Promise<void> {
    await rm(this.part(record.uuid), { force: true });
    await rm(this.workshop(record.uuid), { recursive: true, force: true });
    if (record.type === 'stream') return;
    await rm(this.file({ ...record, state: 'prepared' }), { force: true });
    await rm(this.file({ ...record, state: 'accepted' }), { force: true });
  }

  /** Throws unless this much more fits. */
  async assertRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#dataDir);
    const free = bavail * bsize;
    if (free - bytes >= keptFreeBytes) return;
    throw new WeirError(
      'unavailable',
      `not enough disk space: ${megabytes(free)} MB free, ${megabytes(keptFreeBytes)} MB must stay free`,
    );
  }
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1_000_000);
}

/** Turns disk errors into words; others pass unchanged. */
export function diskError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new WeirError('unavailable', 'the disk is full', { cause: error });
  if (code === 'EROFS' || code === 'EACCES') {
    return new WeirError('unavailable', 'the data directory is not writable', { cause: error });
  }
  return error;
}
