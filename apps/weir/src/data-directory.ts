import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Boot, Config } from '@weir/plane';

/** The kernel's limit for a socket's path is 107 bytes. */
const longestSocketPath = 100;

/** Folders of Oryx's that scripts name: for files to play, and for what is mounted there to receive copies of recordings. */
const oryxFolders = ['upload', 'srs-s3-bucket'];

/** Makes the directories for data and files and the place for the private sockets, all for this user alone. */
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

/** One that is there may be a mount or a link of the owner's, and stays as it is. */
function makeFolder(directory: string): void {
  if (!lstatSync(directory, { throwIfNoEntry: false })) mkdirSync(directory, { mode: 0o700 });
}

function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(directory);
  // Somebody else could have made a directory of this name in a shared place first.
  if (process.getuid && uid !== process.getuid()) throw new Error(`${directory} belongs to another user`);
  chmodSync(directory, 0o700);
}

/** Always the same for one data directory, so that a second start on it finds the first. */
function shortDirectoryFor(dataDir: string): string {
  // Loaded only here: this process stays small, and few data directories lie that deep.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return join(tmpdir(), `weir-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
}
