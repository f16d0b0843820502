import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { expect, it } from 'vitest';
import { IndexFile } from './index-file.ts';
import { indexPlace } from './index-place.ts';

const log = createLog('test', 'error');
const form = { version: 1, tables: 'CREATE TABLE notes (text TEXT);' };
const directory = () => mkdtempSync(join(tmpdir(), 'weir-index-'));
type Pair = { readonly term: number; isLeading(): Promise<boolean> };
const leader = (term: number): Pair => ({ term, isLeading: async () => true });
const open = async (dataDir: string, filesDir: string, pair?: Pair) =>
  new IndexFile(await indexPlace({ dataDir, filesDir }, 'notes.db', { log, pair }), form, log);
const note = (index: IndexFile, text: string) =>
  index.together(() => index.run('INSERT INTO notes (text) VALUES (?)', text));
const notes = (index: IndexFile) => index.all<{ text: string }>('SELECT text FROM notes').map(({ text }) => text);

/** Renames the file to that of a leader, changes much of it with a small cache, and dies before it is done. */
const halfWritten = `
  import { renameSync } from 'node:fs';
  import { DatabaseSync } from 'node:sqlite';
  const file = process.argv[1].replace('.left', '');
  renameSync(process.argv[1], file);
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = TRUNCATE; PRAGMA cache_size = 2; BEGIN IMMEDIATE; UPDATE notes SET text = 'half'");
  const add = db.prepare('INSERT INTO notes (text) VALUES (?)');
  for (let row = 0; row < 200; row += 1) add.run('half '.repeat(1000));
  process.kill(process.pid, 'SIGKILL');
`;

it('the index lies with the shared files, and takes over an existing index', async () => {
  const [dataDir, filesDir] = [directory(), directory()];
  const alone = await open(dataDir, dataDir);
  note(alone, 'alone');
  // A server was killed while it copied.
  writeFileSync(join(filesDir, 'notes.db.copy'), 'half');
  // Not closed: as of a process that was killed.
  const first = await open(dataDir, filesDir);
  expect(notes(first)).toEqual(['alone']);
  note(first, 'while the first led');
  // Another machine takes over from one that had no time to close.
  const second = await open(directory(), filesDir);
  expect(notes(second)).toEqual(['alone', 'while the first led']);
  note(second, 'while the second led');
  for (const index of [alone, first, second]) index.close();
  const again = await open(dataDir, filesDir);
  expect(notes(again)).toHaveLength(3);
  again.close();
  // No files remain that only one machine can interpret.
  expect(readdirSync(filesDir).filter((name) => /(-wal|-shm|copy)$/.test(name))).toEqual([]);
});

it('the index moves from leader to leader, and a late write of a stalled leader damages nothing', async () => {
  const [first, second, files] = [directory(), directory(), directory()];
  const woken = await open(first, files, leader(1));
  note(woken, 'while the first led');
  const next = await open(second, files, leader(2));
  note(next, 'while the second led');
  // The file it has open is no longer there by that name, which SQLite notices.
  expect(() => note(woken, 'late')).toThrow('readonly');
  expect(notes(next)).toEqual(['while the first led', 'while the second led']);
  expect(next.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  woken.close();
  next.close();
  // Left in good order, it only changes its name; nothing else is left of anybody.
  expect(readdirSync(files)).toEqual(expect.arrayContaining(['notes.2.left.db']));
  const third = await open(first, files, leader(3));
  expect(notes(third)).toEqual(['while the first led', 'while the second led']);
  expect(readdirSync(files)).toEqual(['notes.3.db']);
  third.close();
});

it('rolls back in the copy the transaction of a killed leader', async () => {
  const files = directory();
  const first = await open(directory(), files, leader(1));
  note(first, 'whole');
  first.close();
  // State after a kill during a write: old pages in the journal, new ones in the file.
  const killed = join(files, 'notes.1.left.db');
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', halfWritten, killed]).signal).toBe('SIGKILL');
  expect(readdirSync(files).sort()).toEqual(['notes.1.db', 'notes.1.db-journal']);
  const next = await open(directory(), files, leader(2));
  expect(notes(next)).toEqual(['whole']);
  expect(next.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  next.close();
});

it('the index is created where its directory does not exist yet', async () => {
  const dataDir = directory();
  const place = await indexPlace({ dataDir, filesDir: join(dataDir, 'files') }, 'notes.db', { log });
  expect(place).toEqual({ file: join(dataDir, 'files', 'notes.db'), isShared: true });
});

it('the index is not taken over by a server that no longer leads, nor lost where the database forgot the terms', async () => {
  const files = directory();
  const first = await open(directory(), files, leader(7));
  note(first, 'seventh');
  await expect(open(directory(), files, { term: 6, isLeading: async () => false })).rejects.toThrow('another');
  expect(readdirSync(files).filter((name) => name.endsWith('.db'))).toEqual(['notes.7.db']);
  const second = await open(directory(), files, leader(1));
  note(second, 'first again');
  const third = await open(directory(), files, leader(2));
  expect(notes(third)).toEqual(['seventh', 'first again']);
  // A single server uses the same files.
  const alone = await open(directory(), files);
  expect(notes(alone)).toEqual(['seventh', 'first again']);
  expect(readdirSync(files).filter((name) => name.endsWith('.db'))).toEqual(['notes.db']);
  for (const index of [first, second, third, alone]) index.close();
});
