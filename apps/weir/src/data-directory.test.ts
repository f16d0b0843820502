import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { prepareDataDirectory } from './data-directory.ts';

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'weir-data-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

it('creates the folders of Oryx with access for this user only', () => {
  const dataDir = join(newDirectory(), 'new');
  prepareDataDirectory({ dataDir, filesDir: dataDir });
  expect(readdirSync(dataDir).sort()).toEqual(['config', 'run', 'srs-s3-bucket', 'upload']);
  for (const folder of ['upload', 'srs-s3-bucket', 'config'])
    expect(statSync(join(dataDir, folder)).mode & 0o777).toBe(0o700);
});

it('creates folders in the files directory and keeps existing ones', () => {
  const [dataDir, filesDir] = [newDirectory(), newDirectory()];
  symlinkSync('/mnt/not-mounted-yet', join(filesDir, 'srs-s3-bucket'));
  mkdirSync(join(filesDir, 'upload'), { mode: 0o755 });
  prepareDataDirectory({ dataDir, filesDir });
  prepareDataDirectory({ dataDir, filesDir });
  expect(readdirSync(dataDir).sort()).toEqual(['config', 'run']);
  expect(readlinkSync(join(filesDir, 'srs-s3-bucket'))).toBe('/mnt/not-mounted-yet');
  expect(statSync(join(filesDir, 'upload')).mode & 0o777).toBe(0o755);
});
