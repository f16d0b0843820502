import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that a former run of the engine left on disk. */
export interface Leftovers {
  /** The number that follows the newest of a stream's segments, by the beginning of their file names. */
  readonly next: ReadonlyMap<string, number>;
  readonly files: readonly string[];
}

const pattern = /^(.+)-(\d{1,15})-\d{1,15}\.ts(?:\.tmp)?$/s;

/**
 * Looks through the HLS directory once, at the start: players that outlive a restart of the engine expect numbers to go
 * on. A directory that cannot be read holds nothing.
 */
export async function findLeftovers(directory: string): Promise<Leftovers> {
  const next = new Map<string, number>();
  const files: string[] = [];
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const [, name = '', sequence] = pattern.exec(entry.name) ?? [];
    if (name === '' || !entry.isFile()) continue;
    const beginning = join(entry.parentPath, name);
    files.push(join(entry.parentPath, entry.name));
    next.set(beginning, Math.max(next.get(beginning) ?? 0, Number(sequence) + 1));
  }
  return { next, files };
}

/** Files that cannot be removed stay and do no harm. */
export async function removeLeftovers({ files }: Leftovers): Promise<void> {
  for (const file of files) await rm(file, { force: true }).catch(() => undefined);
}
