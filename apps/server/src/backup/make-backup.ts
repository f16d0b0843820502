import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { backupExtension } from '@weir/contract';
import type { Config } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { readStoredRows } from '../core/store/database-file.ts';
import type { Store } from '../core/store/store.ts';
import { encryptAge } from './age-file.ts';
import { backupFormat, folders, isArchiveName, isBackedUp, names, settingsFormat } from './backup-content.ts';
import { tarEnd, writeTarEntry } from './tar.ts';

/** A database beside the settings. */
export interface BackedUpIndex {
  /** False if there is nothing to copy. */
  copyTo(file: string): Promise<boolean>;
}

export interface BackupSource {
  readonly config: Pick<Config, 'dataDir' | 'version'>;
  readonly store: Pick<Store, 'backup'>;
  readonly timelines: BackedUpIndex;
  readonly transcripts: BackedUpIndex;
  readonly clock: Clock;
}

interface BackupChoice {
  readonly recipient: string;
  readonly sealKey: string;
  readonly recordings: boolean;
}

/** First file of an archive. */
export interface Manifest {
  readonly what: 'weir-backup';
  readonly format: number;
  readonly settings: number;
  readonly version: string;
  readonly createdAt: string;
  readonly recordings: boolean;
}

/** `weir-20260301-033000-4f2a1c.weir.age`: sorted by time, and different on servers that share a destination. */
export function backupName(nowMs: number): string {
  const digits = new Date(nowMs).toISOString().replace(/\D/g, '');
  return `weir-${digits.slice(0, 8)}-${digits.slice(8, 14)}-${randomBytes(3).toString('hex')}${backupExtension}`;
}

/**
 * The encrypted bytes of a backup of now. Databases are copied first and everything is removed at the end, also if the reader leaves.
 */
export async function* makeBackup(source: BackupSource, choice: BackupChoice): AsyncGenerator<Buffer> {
  const { dataDir } = source.config;
  await mkdir(join(dataDir, 'backup'), { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(dataDir, 'backup', makingPrefix));
  try {
    const gzip = createGzip();
    const packing = pipeline(Readable.from(archive(source, choice, work), { objectMode: false }), gzip);
    // An error ends the stream below, which reports it.
    packing.catch(() => undefined);
    yield* encryptAge(gzip, choice.recipient);
    await packing;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Begin of names of unfinished work in the folder of copies. */
export const makingPrefix = '.making-';

/** Removes what a process that was killed left behind. Only before this one makes backups. */
export async function removeUnfinishedBackups(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'backup');
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(makingPrefix)) await rm(join(folder, name), { recursive: true, force: true });
}

async function* archive(source: BackupSource, choice: BackupChoice, work: string): AsyncGenerator<Uint8Array> {
  const { config, store, timelines, transcripts, clock } = source;
  const nowMs = clock.dateMs();
  const seconds = Math.floor(nowMs / 1000);
  const manifest: Manifest = {
    what: 'weir-backup',
    format: backupFormat,
    settings: settingsFormat,
    version: config.version,
    createdAt: new Date(nowMs).toISOString(),
    recordings: choice.recordings,
  };
  const hash = createHash('sha256');
  async function* entry(name: string, bytes: number, content: AsyncIterable<Uint8Array> | readonly Uint8Array[]) {
    hash.update(`${name}\n${bytes}\n`);
    async function* hashed() {
      let left = bytes;
      for await (const piece of content) {
        const part = piece.subarray(0, left);
        left -= part.length;
        hash.update(part);
        yield part;
      }
    }
    yield* writeTarEntry({ name, bytes }, hashed(), seconds);
  }
  const file = async function* (name: string, path: string) {
    const { size } = await stat(path);
    yield* entry(name, size, createReadStream(path));
  };
  const text = (name: string, content: string) => {
    const bytes = Buffer.from(content);
    return entry(name, bytes.length, [bytes]);
  };

  const copy = join(work, 'settings.db');
  await store.backup(copy);
  const lines = join(work, 'settings.jsonl');
  await writeRows(copy, lines, choice);
  const indexes = [
    [names.timelines, timelines],
    [names.transcripts, transcripts],
  ] as const;
  yield* text(names.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
  yield* file(names.settings, lines);
  const pair = { [names.certificate]: 'nginx.crt', [names.key]: 'nginx.key' };
  const pairFiles = Object.entries(pair).map(([name, base]) => [name, join(config.dataDir, 'config', base)] as const);
  const sizes = await Promise.all(pairFiles.map(([, path]) => bytesOf(path)));
  if (sizes.every((size) => size > 0)) for (const [name, path] of pairFiles) yield* file(name, path);
  for (const [name, index] of indexes) {
    const database = join(work, name);
    if (await index.copyTo(database)) yield* file(name, database);
  }
  for (const folder of folders) {
    const directory = join(config.dataDir, folder);
    for (const base of (await readdir(directory).catch(() => [])).sort()) {
      const name = `${folder}/${base}`;
      const facts = await stat(join(directory, base)).catch(() => undefined);
      if (facts?.isFile() && isArchiveName(name) && !base.endsWith('.part')) yield* whole(name, join(directory, base));
    }
  }
  /** Small files that their owners replace meanwhile: read at once. */
  async function* whole(name: string, path: string) {
    const handle = await open(path).catch(() => undefined);
    if (!handle) return;
    const bytes = await handle.readFile().finally(() => handle.close());
    yield* entry(name, bytes.length, [bytes]);
  }
  const seal = sealOf(hash.digest(), choice.sealKey);
  const bytes = Buffer.from(`${JSON.stringify({ seal })}\n`);
  yield* writeTarEntry({ name: names.seal, bytes: bytes.length }, [bytes], seconds);
  yield tarEnd;
}

/** Proves that the content comes from a server that knows the seal key. */
export function sealOf(digest: Uint8Array, sealKey: string): string {
  return createHmac('sha256', Buffer.from(sealKey, 'base64url')).update(digest).digest('base64url');
}

async function bytesOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** Rows of a copy of the store as lines of JSON, one after the other: there may be many. */
async function writeRows(copy: string, file: string, choice: BackupChoice): Promise<void> {
  const lines = function* () {
    for (const row of readStoredRows(copy))
      if (isBackedUp(row.collection, choice)) yield `${JSON.stringify([row.collection, row.key, row.value])}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file, { mode: 0o600 }));
}
