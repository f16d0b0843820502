import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hasLength } from './state.ts';
import { filesOf, type WantedFile, wantedPackages } from './wanted-files.ts';

/**
 * The first file in place whose content is not what was installed, below the models directory. Code is loaded from some of them, and whoever
 * can write there may keep their length. Some 0.3 s for all of them.
 */
export async function changedFile(
  modelsDir: string,
  files: readonly Pick<WantedFile, 'path' | 'bytes' | 'sha256'>[] = wantedPackages().flatMap(filesOf),
): Promise<string | undefined> {
  for (const file of files)
    if ((await hasLength(modelsDir, file)) && (await sumOf(join(modelsDir, file.path))) !== file.sha256)
      return file.path;
  return undefined;
}

export async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
