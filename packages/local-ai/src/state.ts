import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, platformPackage, type RequiredFile, requiredPackages } from './required-files.ts';

interface LocalAiState {
  /** Every file is in place. */
  readonly installed: boolean;
  /** Of the files that are in place, on disk. */
  readonly bytes: number;
  /** Of all files, on disk. */
  readonly totalBytes: number;
  /** Of what is still to be fetched. */
  readonly downloadBytes: number;
  /** Paths below the models directory. */
  readonly missing: readonly string[];
  /** There is a native half for this system and processor. */
  readonly platformSupported: boolean;
}

/** What of the built-in AI is in place, judged by lengths: cheap enough to be asked by every page. */
export async function readLocalAiState(modelsDir: string): Promise<LocalAiState> {
  const wanted = requiredPackages().flatMap(listFiles);
  const present = await Promise.all(wanted.map((file) => hasLength(modelsDir, file)));
  const missing = wanted.filter((_, index) => !present[index]);
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  const platformSupported = platformPackage() !== undefined;
  return {
    installed: missing.length === 0 && platformSupported,
    bytes: total - missing.reduce((sum, { bytes }) => sum + bytes, 0),
    totalBytes: total,
    downloadBytes: [...new Set(missing.map((file) => file.package))].reduce((sum, { bytes }) => sum + bytes, 0),
    missing: missing.map(({ path }) => path),
    platformSupported,
  };
}

export async function hasLength(
  modelsDir: string,
  { path, bytes }: Pick<RequiredFile, 'path' | 'bytes'>,
): Promise<boolean> {
  try {
    const found = await stat(join(modelsDir, path));
    return found.isFile() && found.size === bytes;
  } catch {
    return false;
  }
}
