import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Space } from './storage-plan.ts';

/** A disk without names left for files is full, however many bytes are free. */
const leastNames = 1000;

/** Directory of the recordings, and the disk that it is on. */
export class RecordingDisk {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  /** Makes the directory; with `isDoubtful` a file is written too. Rejects where that is impossible. */
  async prepare({ isDoubtful }: { isDoubtful: boolean }): Promise<void> {
    await mkdir(this.#home, { recursive: true, mode: 0o700 });
    if (!isDoubtful) return;
    const file = join(this.#home, '.writable');
    await writeFile(file, 'x');
    await rm(file, { force: true });
  }

  async measure(): Promise<Space> {
    const { bavail, blocks, bsize, files, ffree } = await statfs(this.#home);
    // Some file systems have no such number, and say 0 of 0.
    const hasNames = files === 0 || ffree >= leastNames;
    return { freeBytes: hasNames ? bavail * bsize : 0, totalBytes: blocks * bsize };
  }
}
