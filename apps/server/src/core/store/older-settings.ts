import { chmodSync, copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const settingsName = 'weir.db';

/** Copy of the settings that an update makes before it changes anything. */
export const settingsBeforeUpdate = join('update', 'settings-before.db');

/** A copy of the settings that a version with this format can open. */
interface SettingsCopy {
  readonly file: string;
  /** Relative to the data directory. */
  readonly name: string;
  readonly at: Date;
}

/** Format of a settings file; undefined if it is none, or damaged. */
export function formatOf(file: string): number | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    if (db.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') return undefined;
    return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/**
 * Newest copy of the settings with a format up to this one: of a migration, of an update, or of a day. Copies of a migration come first:
 * nothing was written after them.
 */
function findOlderSettings(dataDir: string, format: number): SettingsCopy | undefined {
  const ofMigrations = namesIn(dataDir).filter((name) => name.startsWith(`${settingsName}.format-`));
  const days = namesIn(join(dataDir, 'backup')).filter((name) => /^weir-[\d-]+\.db$/.test(name));
  const groups = [
    ofMigrations.map((name) => join(dataDir, name)),
    [join(dataDir, settingsBeforeUpdate)],
    days.map((name) => join(dataDir, 'backup', name)),
  ];
  for (const files of groups) {
    const found = files
      .map((file) => ({ file, found: existsSync(file) ? formatOf(file) : undefined }))
      .filter(({ found: has }) => has !== undefined && has > 0 && has <= format)
      .map(({ file }) => ({ file, name: file.slice(dataDir.length + 1), at: statSync(file).mtime }))
      .sort((a, b) => b.at.getTime() - a.at.getTime());
    if (found[0]) return found[0];
  }
  return undefined;
}

/**
 * Puts the settings back that a version with this format can open, if those in place are of a newer one. The newer file stays as
 * `weir.db.newer`. The server must not run. Returns the copy that was used, or undefined if none was needed or found.
 */
export function putOlderSettings(dataDir: string, format: number): SettingsCopy | undefined {
  const current = join(dataDir, settingsName);
  if ((formatOf(current) ?? 0) <= format) return undefined;
  const copy = findOlderSettings(dataDir, format);
  if (!copy) return undefined;
  const partial = `${current}.partial`;
  copyFileSync(copy.file, partial);
  chmodSync(partial, 0o600);
  const newer = `${current}.newer`;
  // A log without its file would be applied to the other one.
  for (const end of ['', '-wal', '-shm']) {
    rmSync(newer + end, { force: true });
    if (existsSync(current + end)) renameSync(current + end, newer + end);
  }
  renameSync(partial, current);
  return copy;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => basename(name));
  } catch {
    return [];
  }
}
