import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLog } from '@weir/plane';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { formatOf, putOlderSettings } from './older-settings.ts';
import { SqliteStore, steps } from './sqlite-store.ts';

const log = createLog('test', 'error');
log.level = 'silent';
const Note = z.object({ text: z.string() });
const format = steps.length;
/** A version of the future, which migrates the settings. */
const next = [...steps, (db: DatabaseSync) => db.exec('CREATE TABLE more (id INTEGER) STRICT')];
let dataDir: string;
let file: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'weir-older-'));
  file = join(dataDir, 'weir.db');
});

async function write(text: string, migrations = steps): Promise<void> {
  const store = new SqliteStore(file, log, migrations);
  await store.collection('notes', Note).put('a', { text });
  await store.close();
}

async function textNow(): Promise<string | undefined> {
  const store = new SqliteStore(file, log);
  const note = await store.collection('notes', Note).get('a');
  await store.close();
  return note?.text;
}

describe('after an update that migrated the settings', () => {
  it('the older version refuses them in words that name the way back, which works', async () => {
    await write('before');
    await write('after', next);
    await expect(textNow()).rejects.toThrow(
      /written by a newer version of Weir .*"weir old-settings", which puts back/,
    );
    expect(putOlderSettings(dataDir, format)?.name).toBe(`weir.db.format-${format}`);
    expect(await textNow()).toBe('before');
    expect(formatOf(`${file}.newer`)).toBe(format + 1);
    expect(putOlderSettings(dataDir, format)).toBeUndefined();
  });

  it('a log that was not written back goes with its file', async () => {
    await write('before');
    await write('after', next);
    // Left open, as by a process that was killed.
    const db = new DatabaseSync(file);
    db.exec("PRAGMA journal_mode = WAL; UPDATE entries SET value = '{}'");
    expect(existsSync(`${file}-wal`)).toBe(true);
    putOlderSettings(dataDir, format);
    db.close();
    expect(await textNow()).toBe('before');
  });

  it('takes the copy of the update, then that of a day, where there is none of the migration', async () => {
    await write('of the day');
    mkdirSync(join(dataDir, 'backup'));
    const store = new SqliteStore(file, log);
    await store.backup(join(dataDir, 'backup/weir-2026-01-01.db'));
    await store.close();
    const db = new DatabaseSync(file);
    db.exec(`PRAGMA user_version = ${format + 1}`);
    db.close();
    expect(putOlderSettings(dataDir, format)?.name).toBe('backup/weir-2026-01-01.db');
    expect(await textNow()).toBe('of the day');
  });

  it('without a copy that fits, nothing is changed', async () => {
    await write('only', next);
    await expect(textNow()).rejects.toThrow(/restore a backup/);
    const before = readFileSync(file);
    expect(putOlderSettings(dataDir, format)).toBeUndefined();
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
