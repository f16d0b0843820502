import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import type { Config, Log } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { openStore } from '../core/store/open-store.ts';
import { placeOf, type StoredRow } from '../core/store/store.ts';
import { folders, isBackedUp, isKept, names } from './backup-content.ts';
import { type Committed, readCommitted, restorePaths, syncDirectory } from './restore-folder.ts';
import { readRows } from './stage-backup.ts';

interface Target {
  readonly config: Pick<Config, 'dataDir' | 'filesDir' | 'store'>;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Carries out a committed restore, before anything of the data is opened. Each step can be repeated: after a kill the next start begins
 * again and ends the same. Without a commit, what is staged is removed. Returns whether there was one.
 */
export async function finishRestore({ config, log, clock }: Target): Promise<boolean> {
  const { home, staged, committed } = restorePaths(config.dataDir);
  const manifest = await readCommitted(config.dataDir);
  if (!manifest) {
    await rm(home, { recursive: true, force: true });
    return false;
  }
  await restoreRows(staged, manifest, { config, log, clock });
  for (const [name, base] of [
    [names.certificate, 'nginx.crt'],
    [names.key, 'nginx.key'],
  ] as const)
    await restoreFile(join(staged, name), join(config.dataDir, 'config', base));
  for (const name of [names.timelines, names.transcripts]) await restoreIndex(join(staged, name), config);
  for (const folder of folders) await restoreFolder(join(staged, folder), join(config.dataDir, folder));
  await rm(committed);
  await syncDirectory(home);
  await rm(home, { recursive: true, force: true });
  log.info(
    { createdAt: manifest.createdAt, version: manifest.version },
    manifest.isAddition ? 'settings imported' : 'backup restored',
  );
  return true;
}

/** All rows in one step. Rows of this machine stay; of an addition, all that it has no other value for. */
async function restoreRows(staged: string, manifest: Committed, { config, log, clock }: Target): Promise<void> {
  const rows: StoredRow[] = [];
  for await (const row of readRows(join(staged, names.settings)))
    if (isBackedUp(row.collection, manifest)) rows.push(row);
  const store = openStore(config, log, clock);
  try {
    const places = new Set(rows.map(placeOf));
    const isKeptRow = (row: StoredRow) =>
      manifest.isAddition ? !places.has(placeOf(row)) : isKept(row.collection, manifest);
    const kept = (await store.rows()).filter(isKeptRow);
    await store.replaceRows([...kept, ...rows]);
  } finally {
    await store.close();
  }
}

async function restoreFile(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  const part = `${to}.restored`;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  // Copied, because the target may be on another disk, and because a repeated start needs it again.
  await copyFile(from, part);
  const file = await open(part, 'r+');
  await file.sync();
  await file.close();
  await rename(part, to);
  await syncDirectory(dirname(to));
}

/** A database and no other in its place. On shared storage the next leader takes over the only one there. */
async function restoreIndex(from: string, { dataDir, filesDir }: Target['config']): Promise<void> {
  if (!existsSync(from)) return;
  const { name: stem, ext, base } = parse(from);
  const form = new RegExp(`^${stem}(?:\\.\\d{1,15}(?:\\.left)?)?\\${ext}(?:-wal|-shm|-journal)?$`);
  for (const each of await readdir(filesDir)) if (form.test(each)) await rm(join(filesDir, each), { force: true });
  await restoreFile(from, join(filesDir, base));
  if (filesDir !== dataDir) await rm(join(dataDir, base), { force: true });
}

/** The files of the backup and no others. */
async function restoreFolder(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  const part = join(dirname(to), `.${basename(to)}.restored`);
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  for (const name of await readdir(from)) await copyFile(join(from, name), join(part, name));
  await rm(to, { recursive: true, force: true });
  await rename(part, to);
}
