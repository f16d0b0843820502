import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesOf, type ModelSet, packagesOf, type RequiredFile } from './required-files.ts';

interface LocalAiState {
  readonly installed: boolean;
  /** Installed bytes. */
  readonly bytes: number;
  /** Bytes when complete. */
  readonly totalBytes: number;
  /** Bytes still to download. */
  readonly downloadBytes: number;
  /** Paths relative to the models directory. */
  readonly missing: readonly string[];
  /** True if the native libraries exist for this platform. */
  readonly platformSupported: boolean;
}

/** Install state of a set, judged by file lengths, which is cheap enough for every page load. */
export async function readLocalAiState(modelsDir: string, set: ModelSet = 'basic'): Promise<LocalAiState> {
  const wanted = filesOf(set);
  const present = await Promise.all(wanted.map((file) => hasLength(modelsDir, file)));
  const missing = wanted.filter((_, index) => !present[index]);
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  const platformSupported = packagesOf(set) !== undefined;
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
