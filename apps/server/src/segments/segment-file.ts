import { realpath } from 'node:fs/promises';
import { extname, relative, resolve } from 'node:path';
import { WeirError } from '../core/errors.ts';

const segmentEndings = ['.ts', '.m4s', '.mp4'];

/**
 * The real path of a finished segment. Listeners copy this file into places that people download from, so it must be
 * what it claims: a segment, inside our own directory, not a link to something else.
 */
export async function segmentFile(root: string, file: string): Promise<string> {
  const refused = () => new WeirError('invalid_input', 'file: must be an HLS segment in the data directory');
  if (!segmentEndings.includes(extname(file))) throw refused();
  try {
    const [realRoot, realFile] = await Promise.all([realpath(root), realpath(resolve(root, file))]);
    const path = relative(realRoot, realFile);
    if (!path.startsWith('..') && !path.startsWith('/') && segmentEndings.includes(extname(path))) return realFile;
  } catch (cause) {
    throw new WeirError('invalid_input', 'file: no longer exists', { cause });
  }
  throw refused();
}
