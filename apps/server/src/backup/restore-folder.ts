import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backupLimits, type RestorePlan } from '@weir/contract';
import { WeirError } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { Mutex } from '../core/mutex.ts';
import type { Store, StoredRow } from '../core/store/store.ts';
import { backupFormat, names, settingsFormat } from './backup-content.ts';
import { refuseBackup } from './backup-refusal.ts';
import type { BackedUpIndex, BackupSource, Manifest } from './make-backup.ts';
import { planRestore } from './restore-plan.ts';
import { stageBackup } from './stage-backup.ts';

interface CountedIndex extends BackedUpIndex {
  count(): number;
}

export interface RestoreTarget extends BackupSource {
  readonly timelines: CountedIndex;
  readonly transcripts: CountedIndex;
}

/** Files of a restore in the data directory. */
export function restorePaths(dataDir: string) {
  const home = join(dataDir, 'restore');
  return {
    home,
    upload: join(home, 'upload.age'),
    staged: join(home, 'staged'),
    /** From the moment this exists, the next start restores what is staged. */
    committed: join(home, 'committed.json'),
  };
}

/** One backup on its way: uploaded, checked, committed. Another upload replaces one that is not committed. */
export class RestoreFolder {
  readonly #target: RestoreTarget;
  readonly #paths: ReturnType<typeof restorePaths>;
  readonly #turns = new Mutex();
  #staged: { readonly id: string; readonly manifest: Manifest } | undefined;
  #changedAtMs = 0;

  constructor(target: RestoreTarget) {
    this.#target = target;
    this.#paths = restorePaths(target.config.dataDir);
  }

  /** Keeps the encrypted file. `length`: what the sender says, to refuse early. */
  receive(body: AsyncIterable<Uint8Array>, length: number | undefined): Promise<number> {
    return this.#alone(async () => {
      if ((length ?? 0) > backupLimits.fileBytes) throw refuseBackup('too-large');
      await this.#clear();
      await mkdir(this.#paths.home, { recursive: true, mode: 0o700 });
      const file = await open(this.#paths.upload, 'wx', 0o600);
      try {
        return await writeBounded(file, body);
      } catch (error) {
        await rm(this.#paths.upload, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    });
  }

  /** Decrypts and checks the received file, and compares it with what is there. */
  inspect(identity: string): Promise<RestorePlan> {
    return this.#alone(() => this.#inspect(identity));
  }

  async #inspect(identity: string): Promise<RestorePlan> {
    const { upload, staged, home } = this.#paths;
    const facts = await stat(upload).catch(() => undefined);
    if (!facts) throw new WeirError('not_found', 'there is no uploaded backup: upload it again');
    this.#staged = undefined;
    await rm(staged, { recursive: true, force: true });
    await mkdir(staged, { mode: 0o700 });
    const { config, store, timelines, transcripts } = this.#target;
    const present = join(home, 'present.db');
    try {
      const manifest = await stageBackup(createReadStream(upload), {
        directory: staged,
        identity,
        version: config.version,
      });
      await store.backup(present);
      const id = randomBytes(16).toString('hex');
      const plan = await planRestore(
        { directory: staged, manifest, bytes: facts.size, id },
        {
          settings: present,
          dataDir: config.dataDir,
          broadcasts: timelines.count(),
          transcripts: transcripts.count(),
        },
      );
      this.#staged = { id, manifest };
      return plan;
    } catch (error) {
      await rm(staged, { recursive: true, force: true });
      throw error;
    } finally {
      await rm(present, { force: true });
    }
  }

  /** The point of no return, after a copy of the present settings. The next start does the rest. */
  commit(id: string): Promise<void> {
    return this.#alone(async () => {
      const staged = this.#staged;
      if (staged?.id !== id) throw new WeirError('not_found', 'this backup is no longer there: upload it again');
      const { config, store, clock } = this.#target;
      await keepPresentSettings(store, config.dataDir, clock.dateMs());
      await commitStaged(config.dataDir, staged.manifest);
      this.#staged = undefined;
    });
  }

  /** Commits rows that the next start puts beside the present ones, or in their place. */
  add(rows: readonly StoredRow[]): Promise<void> {
    return this.#alone(async () => {
      await this.#clear();
      const { config, store, clock } = this.#target;
      await mkdir(this.#paths.staged, { recursive: true, mode: 0o700 });
      await writeSynced(join(this.#paths.staged, names.settings), rows.map(lineOf).join(''));
      const nowMs = clock.dateMs();
      await keepPresentSettings(store, config.dataDir, nowMs);
      await commitStaged(config.dataDir, {
        what: 'weir-backup',
        format: backupFormat,
        settings: settingsFormat,
        version: config.version,
        createdAt: new Date(nowMs).toISOString(),
        recordings: true,
        isAddition: true,
      });
    });
  }

  discard(): Promise<void> {
    return this.#alone(() => this.#clear());
  }

  /** Removes what nobody confirmed for a long time. */
  async tidy(): Promise<void> {
    const isOld = this.#target.clock.elapsedMs() - this.#changedAtMs > backupLimits.stagedMs;
    if (isOld && existsSync(this.#paths.home)) await this.discard();
  }

  async #clear(): Promise<void> {
    const { home, committed } = this.#paths;
    if (existsSync(committed))
      throw new WeirError('unavailable', 'a restore is under way: wait for the server to restart');
    this.#staged = undefined;
    await rm(home, { recursive: true, force: true });
  }

  #alone<R>(work: () => Promise<R>): Promise<R> {
    this.#changedAtMs = this.#target.clock.elapsedMs();
    return this.#turns.take(work);
  }
}

const keptCopies = 5;

/** The way back, in the form of the daily copies. */
async function keepPresentSettings(store: Pick<Store, 'backup'>, dataDir: string, nowMs: number): Promise<string> {
  const folder = join(dataDir, 'backup');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `before-restore-${new Date(nowMs).toISOString().replace(/[:.]/g, '-')}.db`;
  await store.backup(join(folder, name));
  const copies = (await readdir(folder)).filter((each) => /^before-restore-[\dTZ-]+\.db$/.test(each)).sort();
  for (const old of copies.slice(0, -keptCopies)) await rm(join(folder, old), { force: true });
  return name;
}

async function writeBounded(file: FileHandle, body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  try {
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > backupLimits.fileBytes) throw refuseBackup('too-large');
      await file.writeFile(piece);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOSPC' || code === 'EDQUOT') throw refuseBackup('no-space', { cause: error });
    if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
      throw new WeirError('invalid_input', 'the request ended before its body was complete', { cause: error });
    throw error;
  }
  return bytes;
}

function lineOf({ collection, key, value }: StoredRow): string {
  return `${JSON.stringify([collection, key, value])}\n`;
}

/** Restore or import that the next start carries out. */
export interface Committed extends Manifest {
  /** Present rows stay, except those that a staged row replaces. */
  readonly isAddition?: boolean;
}

/** Staged files are on the disk already; the marker appears as a whole or not at all. */
export async function commitStaged(dataDir: string, manifest: Committed): Promise<void> {
  const { home, committed, staged } = restorePaths(dataDir);
  await syncDirectory(staged);
  await writeSynced(`${committed}.new`, JSON.stringify(manifest));
  await rename(`${committed}.new`, committed);
  await syncDirectory(home);
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  // Some file systems cannot; they order their writes themselves.
  await handle.sync().catch(() => undefined);
  await handle.close();
}

/** The backup that the next start restores. */
export async function readCommitted(dataDir: string): Promise<Committed | undefined> {
  const text = await readFile(restorePaths(dataDir).committed, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (parseJson(text) as Committed);
}
