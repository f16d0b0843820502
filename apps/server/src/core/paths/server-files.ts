import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PathResolver } from './path-resolver.ts';

/** Where uploads and server files lie in the data directory. */
export const uploadFolder = 'upload';

/**
 * Files on this machine that the owner may name: below `/data`, as in containers, or the `upload` folder of the data directory. Where
 * there is no `/data`, that word means the data directory itself, so that a path from somebody's instructions works here too.
 */
export function serverFiles(dataDir: string, containerDirectory = '/data'): PathResolver {
  return new PathResolver([
    { written: ['/data'], directory: existsSync(containerDirectory) ? containerDirectory : dataDir },
    { written: [uploadFolder, `./${uploadFolder}`], directory: join(dataDir, uploadFolder) },
  ]);
}
