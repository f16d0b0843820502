import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { defaultCopyDirectory } from '@weir/contract';
import { WeirError } from '../../../core/errors.ts';
import { serverFolders } from '../../../core/server-files.ts';

/** Server's own folders below the data directory, which must not receive copies. */
const ownDirectories = ['record', 'segments', 'hls', 'config', 'backup', 'lego', '.well-known', 'run'];

/** The real directory that a typed one means. It must exist (the one that is offered is made), be the owner's own, and take a file. */
export async function copyDirectory(dataDir: string, typed: string): Promise<string> {
  const real = await existing(dataDir, typed);
  const [top = ''] = relative(await realpath(dataDir), real).split(sep);
  if (ownDirectories.includes(top)) throw refused('the server uses this directory for its own files');
  if (!(await stat(real)).isDirectory()) throw refused('must be a directory');
  await assertWritable(real);
  return real;
}

async function existing(dataDir: string, typed: string): Promise<string> {
  const folders = serverFolders(dataDir);
  try {
    if (typed === defaultCopyDirectory) await offer(dataDir);
    return await folders.existing(typed);
  } catch (cause) {
    const isMissing = cause instanceof WeirError && cause.kind === 'not_found';
    throw refused(isMissing ? 'there is no such directory' : 'must be a directory under /data', cause);
  }
}

/** Makes the one that is offered, unless something is there already; then it is looked at as any other. */
async function offer(dataDir: string): Promise<void> {
  const free = await serverFolders(dataDir)
    .writable(defaultCopyDirectory)
    .catch(() => undefined);
  if (free !== undefined) await mkdir(free, { mode: 0o700 }).catch(() => undefined);
}

async function assertWritable(directory: string): Promise<void> {
  const file = join(directory, `.weir-${process.pid}.tmp`);
  try {
    await writeFile(file, '', { flag: 'wx' });
    await rm(file, { force: true });
  } catch (cause) {
    throw refused('the directory is not writable', cause);
  }
}

function refused(why: string, cause?: unknown): WeirError {
  return new WeirError('invalid_input', `postCpDir: ${why}`, { cause });
}
