import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Boot, Config } from '@weir/plane';

/** The kernel limits socket paths to 107 bytes. */
const longestSocketPath = 100;

/** Folders of Oryx that scripts name: files to play, and copies of recordings (often a mount). */
const oryxFolders = ['upload', 'srs-s3-bucket'];

/** Creates the directories for data, files and private sockets with access for this user only. */
export function prepareDataDirectory({ dataDir, filesDir }: Pick<Config, 'dataDir' | 'filesDir'>): Boot['sockets'] {
  makePrivate(dataDir);
  makePrivate(filesDir);
  makePrivate(join(dataDir, 'config'));
  for (const folder of oryxFolders) makeFolder(join(filesDir, folder));
  const near = join(dataDir, 'run');
  const isNearEnough = Buffer.byteLength(join(near, 'server.sock')) <= longestSocketPath;
  const directory = isNearEnough ? near : shortDirectoryFor(dataDir);
  makePrivate(directory);
  return { engine: join(directory, 'engine.sock'), server: join(directory, 'server.sock') };
}

/** An existing folder may be a mount or link of the owner and is left untouched. */
function makeFolder(directory: string): void {
  if (!lstatSync(directory, { throwIfNoEntry: false })) mkdirSync(directory, { mode: 0o700 });
}

function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(directory);
  // Another user could have created this directory in a shared place first.
  if (process.getuid && uid !== process.getuid()) throw new Error(`${directory} belongs to another user`);
  chmodSync(directory, 0o700);
}

/** Derived from the data directory, so that a second start finds the first. */
function shortDirectoryFor(dataDir: string): string {
  // Loaded on demand to keep this process small; few data directories are that deep.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return join(tmpdir(), `weir-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
}
