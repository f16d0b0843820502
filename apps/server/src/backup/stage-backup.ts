import { createHash, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { backupLimits } from '@weir/contract';
import * as z from 'zod';
import { WeirError } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { countRows } from '../core/store/database-file.ts';
import type { StoredRow } from '../core/store/store.ts';
import { decryptAge } from './age-file.ts';
import { backupFormat, isArchiveName, names, settingsFormat } from './backup-content.ts';
import { refuseBackup } from './backup-refusal.ts';
import { type Manifest, sealOf } from './make-backup.ts';
import { parseRecoveryKey } from './recovery-key.ts';
import { readTar, type TarEntry, type TarSink } from './tar.ts';

/** Of other formats only the number is read. */
const AnyManifest = z.looseObject({ what: z.literal('weir-backup'), format: z.int().min(0) });
const StagedManifest = z.object({
  what: z.literal('weir-backup'),
  format: z.int(),
  settings: z.int(),
  version: z.string().regex(/^[0-9A-Za-z.+-]{1,64}$/),
  createdAt: z.iso.datetime(),
  recordings: z.boolean(),
});
const Seal = z.object({ seal: z.string().max(64) });

type Limits = Pick<typeof backupLimits, 'unpackedBytes' | 'settingsBytes' | 'rowBytes' | 'rows' | 'files'>;

interface Staging {
  /** An empty directory. */
  readonly directory: string;
  readonly identity: string;
  readonly version: string;
  readonly limits?: Limits;
}

/**
 * Decrypts and unpacks a backup into a directory and checks all of it: encryption, seal, names, sizes, rows and databases. Rejects with a
 * refusal in words; the directory is then worthless.
 */
export async function stageBackup(sealed: AsyncIterable<Uint8Array>, staging: Staging): Promise<Manifest> {
  const { directory, identity, version, limits = backupLimits } = staging;
  const key = parseRecoveryKey(identity);
  if (!key) throw refuseBackup('bad-key');
  const unpacker = new Unpacker(directory, limits, key.sealKey);
  const gunzip = createGunzip();
  const opening = pipeline(Readable.from(decryptAge(sealed, key.identity), { objectMode: false }), gunzip);
  opening.catch(() => undefined);
  try {
    await readTar(gunzip, unpacker);
    await opening;
    const manifest = unpacker.finish(version);
    for await (const _row of readRows(join(directory, names.settings), limits));
    for (const [name, table] of Object.entries(databases))
      if (unpacker.has(name) && countRows(join(directory, name), table) === undefined) throw refuseBackup('damaged');
    return manifest;
  } catch (error) {
    throw toRefusal(error);
  } finally {
    gunzip.destroy();
    await opening.catch(() => undefined);
    await unpacker.close();
  }
}

/** A table of each database, whose rows are counted for people. */
export const databases = { [names.timelines]: 'broadcasts', [names.transcripts]: 'words' } as const;

function toRefusal(error: unknown): unknown {
  if (error instanceof WeirError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return refuseBackup('no-space', { cause: error });
  // Of the decompressor and of SQLite.
  if (code.startsWith('Z_') || code.startsWith('ERR_SQLITE')) return refuseBackup('damaged', { cause: error });
  return error;
}

/** Writes the files of an archive and checks what they are together. */
class Unpacker implements TarSink {
  readonly #directory: string;
  readonly #limits: Limits;
  readonly #sealKey: string;
  readonly #names = new Set<string>();
  readonly #hash = createHash('sha256');
  #file: FileHandle | undefined;
  #current = '';
  #bytes = 0;
  /** Small files that are needed here. */
  #texts: Record<string, string> = {};

  constructor(directory: string, limits: Limits, sealKey: string) {
    this.#directory = directory;
    this.#limits = limits;
    this.#sealKey = sealKey;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  async begin({ name, bytes }: TarEntry): Promise<void> {
    const isFirst = this.#names.size === 0;
    if (isFirst !== (name === names.manifest)) throw refuseBackup('not-a-backup');
    if (!isArchiveName(name) || this.#names.has(name) || this.#names.has(names.seal)) throw refuseBackup('damaged');
    this.#bytes += bytes;
    const { unpackedBytes, settingsBytes, files } = this.#limits;
    const most = name === names.settings ? settingsBytes : isText(name) ? mostTextBytes : unpackedBytes;
    if (this.#bytes > unpackedBytes || bytes > most || this.#names.size >= files) throw refuseBackup('too-large');
    this.#names.add(name);
    this.#current = name;
    if (name !== names.seal) this.#hash.update(`${name}\n${bytes}\n`);
    if (isText(name)) return;
    const path = join(this.#directory, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = await open(path, 'wx', 0o600);
  }

  async write(piece: Buffer): Promise<void> {
    if (this.#current !== names.seal) this.#hash.update(piece);
    if (this.#file) await this.#file.writeFile(piece);
    else this.#texts[this.#current] = (this.#texts[this.#current] ?? '') + piece.toString('latin1');
  }

  async end(): Promise<void> {
    await this.#file?.sync();
    await this.close();
    // An unreadable format is said before the rest is unpacked.
    if (this.#current === names.manifest) assertFormat(this.#json(names.manifest));
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  finish(version: string): Manifest {
    const manifest = StagedManifest.safeParse(this.#json(names.manifest));
    const seal = Seal.safeParse(this.#json(names.seal));
    if (!manifest.success || !seal.success || !this.has(names.settings)) throw refuseBackup('damaged');
    if (this.has(names.certificate) !== this.has(names.key)) throw refuseBackup('damaged');
    const expected = Buffer.from(sealOf(this.#hash.digest(), this.#sealKey));
    const given = Buffer.from(seal.data.seal);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw refuseBackup('forged');
    const { settings, version: from } = manifest.data;
    if (settings > settingsFormat || isNewer(from, version)) throw refuseBackup('newer', { fact: from });
    return manifest.data;
  }

  #json(name: string): unknown {
    return parseJson(this.#texts[name] ?? '');
  }
}

const mostTextBytes = 64 * 1024;

function isText(name: string): boolean {
  return name === names.manifest || name === names.seal;
}

function assertFormat(found: unknown): void {
  const manifest = AnyManifest.safeParse(found);
  if (!manifest.success) throw refuseBackup('not-a-backup');
  const { format, version } = manifest.data;
  const from = typeof version === 'string' && /^[0-9A-Za-z.+-]{1,64}$/.test(version) ? version : '?';
  if (format > backupFormat) throw refuseBackup('newer', { fact: from });
  if (format < backupFormat) throw refuseBackup('older', { fact: String(format) });
}

/** Compares major, minor and patch number. */
function isNewer(one: string, other: string): boolean {
  const parts = (version: string) => (/^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
  const [theirs, ours] = [parts(one), parts(other)];
  if (theirs.length < 3 || ours.length < 3) return false;
  const at = theirs.findIndex((part, index) => part !== ours[index]);
  return at !== -1 && (theirs[at] ?? 0) > (ours[at] ?? 0);
}

const Row = z.tuple([z.string().min(1).max(200), z.string().max(4096), z.string()]);

/** Rows of a staged backup. Refuses what no store could have written. */
export async function* readRows(file: string, limits: Limits = backupLimits): AsyncGenerator<StoredRow> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let count = 0;
  const parse = (line: Buffer): StoredRow => {
    count++;
    const row = Row.safeParse(parseJson(line.toString('utf8')));
    if (!row.success || parseJson(row.data[2]) === undefined) throw refuseBackup('damaged');
    const [collection, key, value] = row.data;
    if (/[^A-Za-z0-9-]/.test(collection)) throw refuseBackup('damaged');
    if (count > limits.rows) throw refuseBackup('too-large');
    return { collection, key, value };
  };
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, from)) {
      yield parse(Buffer.concat([...held, piece.subarray(from, end)]));
      held = [];
      heldBytes = 0;
      from = end + 1;
    }
    held.push(piece.subarray(from));
    heldBytes += piece.length - from;
    if (heldBytes > limits.rowBytes) throw refuseBackup('too-large');
  }
  if (heldBytes > 0) throw refuseBackup('damaged');
}
