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
const open = (dataDir: string, filesDir: string) =>
  new IndexFile(indexPlace({ dataDir, filesDir }, 'notes.db', log), form, log);
const note = (index: IndexFile, text: string) =>
  index.together(() => index.run('INSERT INTO notes (text) VALUES (?)', text));
const notes = (index: IndexFile) => index.all<{ text: string }>('SELECT text FROM notes').map(({ text }) => text);

it('lies with the files that servers share, and brings along what was there before', () => {
  const [dataDir, filesDir] = [directory(), directory()];
  const alone = open(dataDir, dataDir);
  note(alone, 'alone');
  // Of a server that was killed while it copied.
  writeFileSync(join(filesDir, 'notes.db.copy'), 'half');
  // Not closed: as of a process that was killed.
  const first = open(dataDir, filesDir);
  expect(notes(first)).toEqual(['alone']);
  note(first, 'while the first led');
  // Another machine, and the first one had no time to close.
  const second = open(directory(), filesDir);
  expect(notes(second)).toEqual(['alone', 'while the first led']);
  note(second, 'while the second led');
  for (const index of [alone, first, second]) index.close();
  const again = open(dataDir, filesDir);
  expect(notes(again)).toHaveLength(3);
  again.close();
  // Nothing that only one machine understands.
  expect(readdirSync(filesDir).filter((name) => /(-wal|-shm|copy)$/.test(name))).toEqual([]);
});
