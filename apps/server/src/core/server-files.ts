import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PathResolver, type PathRoot } from './path-resolver.ts';

/** Folders for uploads and server files in the data directory. */
export const uploadFolder = 'upload';

/**
 * Meaning of `/data`: the folder of that name, as in containers. Without one it is the data directory itself, so that
 * paths from instructions for containers work here too.
 */
function container(dataDir: string, directory: string): PathRoot {
  return { written: ['/data'], directory: existsSync(directory) ? directory : dataDir };
}

/** Files on this machine that the owner may name: below `/data`, or in the `upload` folder of the data directory. */
export function serverFiles(dataDir: string, containerDirectory = '/data'): PathResolver {
  return new PathResolver([
    container(dataDir, containerDirectory),
    { written: [uploadFolder, `./${uploadFolder}`], directory: join(dataDir, uploadFolder) },
  ]);
}

/** Folders on this machine that the owner may have something put into. `containers/data` is how scripts of the older product name it. */
export function serverFolders(dataDir: string, containerDirectory = '/data'): PathResolver {
  return new PathResolver([
    { written: [dataDir, 'containers/data', './containers/data'], directory: dataDir },
    container(dataDir, containerDirectory),
  ]);
}
