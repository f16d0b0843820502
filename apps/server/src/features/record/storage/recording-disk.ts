import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Space } from './storage-plan.ts';

/** A disk without names left for files is full, however many bytes are free. */
const leastNames = 1000;

/** Segments kept for rewinding. */
export interface RewindWindows {
  /** True while they use disk space. */
  readonly isBusy: boolean;
  /** 0: there is room. */
  makeRoom(missingBytes: number): Promise<void>;
}

/** Directory of the recordings, and the disk that it is on. */
export class RecordingDisk {
  readonly #home: string;
  readonly #windows: RewindWindows | undefined;

  constructor(home: string, windows?: RewindWindows) {
    this.#home = home;
    this.#windows = windows;
  }

  /** Makes the directory; with `isDoubtful` a file is written too. Rejects where that is impossible. */
  async prepare({ isDoubtful }: { isDoubtful: boolean }): Promise<void> {
    await mkdir(this.#home, { recursive: true, mode: 0o700 });
    if (!isDoubtful) return;
    const file = join(this.#home, '.writable');
    await writeFile(file, 'x');
    await rm(file, { force: true });
  }

  /** What is kept for rewinding makes room before a recording has to. */
  async makeRoom(missingBytes: number): Promise<void> {
    await this.#windows?.makeRoom(missingBytes);
  }

  async measure(): Promise<Space> {
    const { bavail, blocks, bsize, files, ffree } = await statfs(this.#home);
    // Some file systems have no such number, and say 0 of 0.
    const hasNames = files === 0 || ffree >= leastNames;
    return { freeBytes: hasNames ? bavail * bsize : 0, totalBytes: blocks * bsize };
  }
}
