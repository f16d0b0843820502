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
      if (error.code !== 'ENOENT') this.#log.warn({ err: error }, 'the segments that wait cannot be listed');
      return [];
    });
    return names.sort().flatMap((name) => {
      const id = mediaId(name);
      return id === undefined ? [] : { id, name };
    });
  }

  /** Undefined when it was taken meanwhile, or its facts cannot be read: then it is worth nothing and removed. */
  async read({ id, name }: Waiting): Promise<FinishedSegment | undefined> {
    const file = join(this.#directory, name);
    try {
      const text = await readFile(factsOf(file), 'utf8');
      if (text.length > largestFacts) throw new Error('its facts are too long');
      return { ...parseSegmentFacts(JSON.parse(text)), id, file };
    } catch (error) {
      this.#log.warn({ err: error }, 'a segment that waited is left out: what is known of it cannot be read');
      await this.remove(file);
      return undefined;
    }
  }

  async remove(file: string): Promise<void> {
    for (const path of [file, factsOf(file)]) {
      await rm(path, { force: true }).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'a segment that was taken cannot be removed'),
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
