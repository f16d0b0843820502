import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SegmentFormat } from '@weir/streams';

/** Files that a former run of the engine left on disk. */
export interface Leftovers {
  /** Next segment number of a stream in a format, by `leftoverKey`. */
  readonly next: ReadonlyMap<string, number>;
  readonly files: readonly string[];
}

const segment = /^(.+)-(\d{1,15})-\d{1,15}(\.ts|\.m4s)(?:\.tmp)?$/s;
const init = /^.+-init-[0-9a-f]+\.mp4(?:\.tmp)?$/s;

/** Key of a stream's segments in a format. `beginning`: path of the files up to their numbers. */
export const leftoverKey = (beginning: string, { extension }: Pick<SegmentFormat, 'extension'>): string =>
  beginning + extension;

/**
 * Reads the HLS directory once, at the start, so that segment numbers continue for players that outlive a restart of the engine. A directory
 * that cannot be read counts as empty.
 */
export async function findLeftovers(directory: string): Promise<Leftovers> {
  const next = new Map<string, number>();
  const files: string[] = [];
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const [, name = '', sequence, extension = ''] = segment.exec(entry.name) ?? [];
    if (!entry.isFile() || (name === '' && !init.test(entry.name))) continue;
    files.push(join(entry.parentPath, entry.name));
    if (name === '') continue;
    const key = leftoverKey(join(entry.parentPath, name), { extension });
    next.set(key, Math.max(next.get(key) ?? 0, Number(sequence) + 1));
  }
  return { next, files };
}

/** Files that cannot be removed stay and do no harm. */
export async function removeLeftovers({ files }: Leftovers): Promise<void> {
  for (const file of files) await rm(file, { force: true }).catch(() => undefined);
}
