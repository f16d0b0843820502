import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join, normalize, relative, resolve, sep } from 'node:path';
import { defaultCopyDirectory } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';

/** What the server keeps for itself below the data directory: copies do not belong there. */
const ownDirectories = ['record', 'segments', 'hls', 'config', 'backup', 'lego', '.well-known', 'run'];

/**
 * The real directory that a typed one means. `/data` stands for the data directory, wherever that is; so does
 * `./containers/data`, which scripts of the older product type. It must exist (the one that is offered is made), lie
 * below the data directory after every link is followed, and take a file.
 */
export async function copyDirectory(dataDir: string, typed: string): Promise<string> {
  const inside = insideOf(dataDir, typed);
  const wanted = resolve(dataDir, inside);
  if (normalize(typed) === defaultCopyDirectory) await mkdir(wanted, { recursive: true, mode: 0o700 });
  const root = await realpath(dataDir);
  const real = await realpath(wanted).catch((cause: unknown) => {
    throw new WeirError('invalid_input', 'postCpDir: there is no such directory', { cause });
  });
  const path = relative(root, real);
  const [top = ''] = path.split(sep);
  if (path === '' || top === '..' || path.startsWith(sep) || ownDirectories.includes(top)) {
    throw new WeirError('invalid_input', 'postCpDir: must be a directory of yours below /data');
  }
  if (!(await stat(real)).isDirectory()) throw new WeirError('invalid_input', 'postCpDir: must be a directory');
  await assertWritable(real);
  return real;
}

function insideOf(dataDir: string, typed: string): string {
  const path = normalize(typed);
  if (path.startsWith(`${dataDir}${sep}`)) return relative(dataDir, path);
  for (const alias of [`${sep}data${sep}`, `containers${sep}data${sep}`]) {
    if (path.startsWith(alias)) return path.slice(alias.length);
  }
  throw new WeirError('invalid_input', 'postCpDir: must be a directory of yours below /data');
}

async function assertWritable(directory: string): Promise<void> {
  const file = join(directory, `.weir-${process.pid}.tmp`);
  try {
    await writeFile(file, '', { flag: 'wx' });
    await rm(file, { force: true });
  } catch (cause) {
    throw new WeirError('invalid_input', 'postCpDir: files cannot be written there', { cause });
  }
}
