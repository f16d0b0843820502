import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { filesOf, modelSets, type RequiredFile } from './required-files.ts';
import { hasLength } from './state.ts';

/**
 * Finds an installed file with changed content. Some files are code, and an attacker with write access could keep their length. Takes about
 * 0.3 s for 100 MB.
 */
export async function findChangedFile(
  modelsDir: string,
  files: readonly Pick<RequiredFile, 'path' | 'bytes' | 'sha256'>[] = modelSets.flatMap(filesOf),
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
