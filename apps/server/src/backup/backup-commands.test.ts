import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import { expect, it } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { SqliteStore } from '../core/store/sqlite-store.ts';
import { runBackup, runRestore } from './backup-commands.ts';

const log = createLog('test', 'error');
log.level = 'silent';

function place() {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-commands-'));
  const config = parseConfig({ WEIR_DATA: dataDir }, { cwd: dataDir, version: '1.2.3' });
  const said: string[] = [];
  const store = () => new SqliteStore(join(dataDir, 'weir.db'), log);
  return {
    dataDir,
    said,
    store,
    context: { config, log, clock: systemClock, say: (line: string) => void said.push(line) },
  };
}

it('writes a backup with a new key, lists in words what it changes elsewhere, and restores it', async () => {
  const [from, to] = [place(), place()];
  await expect(runBackup({ to: '', newKey: '', recordings: true }, from.context)).rejects.toThrow('no settings');
  const rows = [
    { collection: 'limits', key: 'sources', value: '{"vlive":1234}' },
    { collection: 'recordings', key: 'one', value: '{"uuid":"one"}' },
  ];
  const store = from.store();
  await store.replaceRows(rows);
  await store.close();
  await expect(runBackup({ to: '', newKey: '', recordings: true }, from.context)).rejects.toThrow('--new-key');
  const keyFile = join(from.dataDir, 'key.txt');
  const file = await runBackup({ to: '', newKey: keyFile, recordings: true }, from.context);
  expect(file.startsWith(join(from.dataDir, 'backups/weir-'))).toBe(true);
  expect(readFileSync(keyFile, 'utf8')).toMatch(/^AGE-SECRET-KEY-1/m);
  // A key is never overwritten.
  await expect(runBackup({ to: '', newKey: keyFile, recordings: true }, from.context)).rejects.toThrow('EEXIST');

  const before = to.store();
  await before.replaceRows([{ collection: 'limits', key: 'sources', value: '{"vlive":1}' }]);
  await before.close();
  await runRestore({ file, keyFile, isDry: true }, to.context);
  expect(to.said).toEqual([
    expect.stringMatching(/^Backup of .*, Weir 1\.2\.3\. Restoring it changes:$/),
    '  List of recordings: 1 added',
    '  HLS, limits and edges: 1 changed',
    '  Backup: 1 added',
    'Dry run: nothing was changed.',
  ]);
  const unchanged = to.store();
  expect(await unchanged.rows()).toHaveLength(1);
  await unchanged.close();
  await runRestore({ file, keyFile, isDry: false }, to.context);
  const after = to.store();
  expect(await after.rows()).toEqual(expect.arrayContaining(rows));
  await after.close();

  writeFileSync(join(to.dataDir, 'cut'), readFileSync(file).subarray(0, -1));
  await expect(runRestore({ file: join(to.dataDir, 'cut'), keyFile, isDry: false }, to.context)).rejects.toThrow(
    'damaged',
  );
  await expect(runRestore({ file, keyFile: file, isDry: false }, to.context)).rejects.toThrow('not a recovery key');
});
