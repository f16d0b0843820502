import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  besideEntry,
  entryName,
  type FinishedSegment,
  parseEntryName,
  parseSegmentFacts,
  type ToldSegment,
  toSegmentFacts,
} from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { isSegmentFormat } from '@weir/streams';
import { type Clock, systemClock } from '../core/clock.ts';

const largestFacts = 16 * 1024;

/** A segment in the spool: its id and format, and the name of its media. */
interface Waiting extends Pick<FinishedSegment, 'id' | 'format'> {
  readonly name: string;
}

/** Directory with the engine's finished segments. Announced ones stay until they are removed. */
export class SegmentSpool {
  readonly #directory: string;
  readonly #log: Log;
  readonly #clock: Pick<Clock, 'dateMs'>;
  #kept = 0;

  constructor(directory: string, log: Log, clock: Pick<Clock, 'dateMs'> = systemClock) {
    this.#clock = clock;
    this.#directory = directory;
    this.#log = log;
  }

  /** True for a file in the spool. */
  has(file: string): boolean {
    return basename(dirname(file)) === basename(this.#directory) && readMedia(basename(file)) !== undefined;
  }

  /** Adds a segment of another media server. Media is written last, so that a listed segment has its facts. */
  async keep(told: ToldSegment, write: (path: string) => Promise<void>): Promise<FinishedSegment> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const id = randomUUID();
    this.#kept += 1;
    const file = join(
      this.#directory,
      entryName({ keptAtMs: this.#clock.dateMs(), count: this.#kept, id }, told.format),
    );
    const segment = { ...told, id, file };
    const unfinished = `${file}.tmp`;
    try {
      await write(unfinished);
      await writeFile(factsOf(file), JSON.stringify(toSegmentFacts(segment)));
      await rename(unfinished, file);
    } catch (error) {
      await Promise.all([unfinished, factsOf(file)].map((path) => rm(path, { force: true })));
      throw error;
    }
    return segment;
  }

  /** Removes leftovers of a process killed while writing. Call before the first write. */
  async clear(): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    for (const name of names.filter((each) => each.endsWith('.tmp')))
      await rm(join(this.#directory, name), { force: true });
  }

  /** Waiting segments, oldest first. */
  async list(): Promise<Waiting[]> {
    const names = await readdir(this.#directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') this.#log.warn({ err: error }, 'waiting segments could not be listed');
      return [];
    });
    return names.sort().flatMap((name) => {
      const media = readMedia(name);
      return media ? { ...media, name } : [];
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
      if (text.length > largestFacts) throw new Error('the metadata is too long');
      const segment = { ...parseSegmentFacts(JSON.parse(text)), id, file };
      return segment.init ? { ...segment, init: { ...segment.init, file: besideEntry(file, 'init') } } : segment;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (isTaken) this.#log.info({ segment: id }, 'leftover file of a processed segment removed');
      else this.#log.warn({ err: error }, 'a waiting segment was skipped: its metadata could not be read');
      await this.remove(file);
      return undefined;
    }
  }

  /** Removes an entry of `list`. */
  removeWaiting({ name }: Waiting): Promise<void> {
    return this.remove(join(this.#directory, name));
  }

  /** The media last: what is left of a removal that was cut off is found by its name. */
  async remove(file: string): Promise<void> {
    for (const path of [factsOf(file), besideEntry(file, 'init'), file]) {
      await rm(path, { force: true }).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'a processed segment could not be removed'),
      );
    }
  }
}

function factsOf(file: string): string {
  return besideEntry(file, 'facts');
}

function readMedia(name: string): Pick<FinishedSegment, 'id' | 'format'> | undefined {
  const entry = parseEntryName(name);
  return entry && isSegmentFormat(entry.file) ? { id: entry.id, format: entry.file } : undefined;
}
