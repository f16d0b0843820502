import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { listFiles, type RequiredFile, requiredPackages } from './required-files.ts';
import { hasLength } from './state.ts';

/**
 * The first file in place whose content is not what was installed, below the models directory. Code is loaded from some of them, and whoever
 * can write there may keep their length. Some 0.3 s for all of them.
 */
export async function findChangedFile(
  modelsDir: string,
  files: readonly Pick<RequiredFile, 'path' | 'bytes' | 'sha256'>[] = requiredPackages().flatMap(listFiles),
): Promise<string | undefined> {
  for (const file of files)
    if ((await hasLength(modelsDir, file)) && (await hashFile(join(modelsDir, file.path))) !== file.sha256)
      return file.path;
  return undefined;
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
