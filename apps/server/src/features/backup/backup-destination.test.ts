import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupSettings, noBucket } from '@weir/contract';
import { expect, it } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { openDestination } from './backup-destination.ts';

const settings = BackupSettings.parse({ destination: 'directory', bucket: noBucket });
const open = (directory: string) =>
  openDestination(settings, { directory, outgoing: new OutgoingClient(), clock: systemClock });

it('keeps whole files in a directory that it makes, removes them, and leaves nothing of a test or a failure', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weir-destination-'));
  const file = join(home, 'made');
  writeFileSync(file, 'a backup');
  const directory = join(home, 'new/backups');
  const destination = open(directory);
  expect(await destination.test()).toEqual({ step: '', failure: '', error: '' });
  await destination.write('one.weir.age', file, 8);
  expect(readFileSync(join(directory, 'one.weir.age'), 'utf8')).toBe('a backup');
  await expect(destination.write('two.weir.age', join(home, 'gone'), 8)).rejects.toThrow('ENOENT');
  await destination.remove('one.weir.age');
  await destination.remove('one.weir.age');
  expect(readdirSync(directory)).toEqual([]);
  const error = 'there is a file where the directory should be';
  expect(await open(file).test()).toEqual({ step: 'write', failure: 'directory', error });
});
