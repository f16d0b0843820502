import { writeFile as writeFileThen } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '@weir/plane';

type Job =
  | { readonly type: 'write'; readonly file: string; readonly bytes: Buffer; readonly onWritten: () => void }
  | { readonly type: 'remove'; readonly file: string }
  | { readonly type: 'remove-directory'; readonly directory: string };

/** Limit of bytes that wait for a slow disk. Above it segments live in memory only. */
const maxWaitingBytes = 64 * 1024 * 1024;
const maxWaitingJobs = 1000;

/** Without the handles, promises and garbage of `fs/promises`, which cost hundreds of streams a sixth of the engine's time. */
const writeFile = promisify(writeFileThen);

/**
 * Puts the files of one stream on disk, one after the other and behind the back of its frames: a disk that is slow, full
 * or gone costs files, never the live stream.
 */
export class SegmentWriter {
  readonly #log: Log;
  readonly #jobs: Job[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;
  #isFailing = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The file appears whole or not at all; `onWritten` is called when it has. */
  write(file: string, bytes: Buffer, onWritten: () => void): void {
    if (this.#waitingBytes + bytes.length > maxWaitingBytes || this.#jobs.length >= maxWaitingJobs) {
      this.#warn(new Error('the disk is slower than the stream'));
      return;
    }
    this.#waitingBytes += bytes.length;
    this.#add({ type: 'write', file, bytes, onWritten });
  }

  remove(file: string): void {
    if (this.#jobs.length < maxWaitingJobs) this.#add({ type: 'remove', file });
  }

  /** No effect on a directory that is not empty. */
  removeDirectory(directory: string): void {
    if (this.#jobs.length < maxWaitingJobs) this.#add({ type: 'remove-directory', directory });
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  #add(job: Job): void {
    this.#jobs.push(job);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) {
      try {
        await perform(job);
        if (job.type === 'write') this.#recover(job.onWritten);
      } catch (error) {
        this.#warn(error);
      }
      if (job.type === 'write') this.#waitingBytes -= job.bytes.length;
    }
    this.#running = undefined;
  }

  #recover(onWritten: () => void): void {
    if (this.#isFailing) this.#log.info('segments are written to disk again');
    this.#isFailing = false;
    onWritten();
  }

  /** Logs the first failure only, until writing works again: a full disk fails for every segment. */
  #warn(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#log.warn({ err: error }, 'segments could not be written to disk, serving them from memory');
  }
}

async function perform(job: Job): Promise<void> {
  switch (job.type) {
    case 'remove':
      return rm(job.file, { force: true });
    case 'remove-directory':
      // Another stream of the same app may still live there.
      return rmdir(job.directory).catch(() => undefined);
    case 'write': {
      const temporary = `${job.file}.tmp`;
      try {
        await place(job, temporary);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw error;
      }
    }
  }
}

async function place({ file, bytes }: { file: string; bytes: Buffer }, temporary: string): Promise<void> {
  try {
    await writeFile(temporary, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Creates the directory, which is missing for the first segment or was removed.
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporary, bytes);
  }
  await rename(temporary, file);
}
