import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type FinishedSegment, parseEntryName, parseSegmentFacts } from '@weir/dialect';
import type { Log } from '@weir/plane';

const largestFacts = 16 * 1024;

/** A segment in the spool: its id, and the name of its media. */
interface Waiting {
  readonly id: string;
  readonly name: string;
}

/** The directory where the engine leaves segments. Whatever was announced is in it until it is taken out. */
export class SegmentSpool {
  readonly #directory: string;
  readonly #log: Log;

  constructor(directory: string, log: Log) {
    this.#directory = directory;
    this.#log = log;
  }

  /** Whether a file is one of the spool. */
  has(file: string): boolean {
    return basename(dirname(file)) === basename(this.#directory) && mediaId(basename(file)) !== undefined;
  }

  /** What waits, oldest first. */
  async list(): Promise<Waiting[]> {
    const names = await readdir(this.#directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') this.#log.warn({ err: error }, 'waiting segments could not be listed');
      return [];
    });
    return names.sort().flatMap((name) => {
      const id = mediaId(name);
      return id === undefined ? [] : { id, name };
    });
  }

  /**
   * Undefined when it was taken, maybe by a process that was killed while it removed it, or its facts cannot be read: then it is
   * worth nothing and removed.
   */
  async read({ id, name }: Waiting): Promise<FinishedSegment | undefined> {
    const file = join(this.#directory, name);
    try {
      const text = await readFile(factsOf(file), 'utf8');
      if (text.length > largestFacts) throw new Error('its facts are too long');
      return { ...parseSegmentFacts(JSON.parse(text)), id, file };
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (isTaken) this.#log.info({ segment: id }, 'what was left of a segment that was taken is removed');
      else this.#log.warn({ err: error }, 'a waiting segment was skipped: its metadata could not be read');
      await this.remove(file);
      return undefined;
    }
  }

  /** One of `list`. */
  removeWaiting({ name }: Waiting): Promise<void> {
    return this.remove(join(this.#directory, name));
  }

  /** The media last: what is left of a removal that was cut off is found by its name. */
  async remove(file: string): Promise<void> {
    for (const path of [factsOf(file), file]) {
      await rm(path, { force: true }).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'a processed segment could not be removed'),
      );
    }
  }
}

function factsOf(file: string): string {
  return file.replace(/\.ts$/, '.json');
}

function mediaId(name: string): string | undefined {
  const entry = parseEntryName(name);
  return entry?.file === 'media' ? entry.id : undefined;
}
