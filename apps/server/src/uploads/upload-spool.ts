import { mkdir, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { linkFile } from '../core/link-file.ts';

const floorBytes = 1024 ** 3;
const name = /^[0-9A-Za-z._-]{1,128}$/;

/** The directory of files that wait for the cloud. Each is a second name of the original, where the disk allows it. */
export class UploadSpool {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** True if the disk has space beyond its other needs: a twentieth of it stays free, or a gigabyte. */
  async hasFreeDisk(): Promise<boolean> {
    const { bavail, blocks, bsize } = await statfs(this.#directory);
    return bavail * bsize >= Math.min(floorBytes, (blocks * bsize) / 20);
  }

  async create(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
  }

  /** Takes a file in, whole or not at all; of no effect when it is there. */
  async take(id: string, from: string): Promise<{ file: string; bytes: number }> {
    const file = this.#file(id);
    await linkFile(from, file);
    return { file, bytes: (await stat(file)).size };
  }

  async write(id: string, text: string): Promise<{ file: string; bytes: number }> {
    const file = this.#file(id);
    await writeFile(`${file}.tmp`, text, { flush: true });
    await rename(`${file}.tmp`, file);
    return { file, bytes: Buffer.byteLength(text) };
  }

  async remove(file: string): Promise<void> {
    await rm(this.#file(basename(file)), { force: true });
  }

  /** Removes what no upload waits for any more: its process was killed in between. */
  async sweep(wanted: ReadonlySet<string>): Promise<void> {
    for (const entry of await readdir(this.#directory)) {
      const file = join(this.#directory, entry);
      if (!wanted.has(file)) await rm(file, { force: true });
    }
  }

  #file(id: string): string {
    if (!name.test(id)) throw new Error('not a name for a file that waits');
    return join(this.#directory, id);
  }
}
