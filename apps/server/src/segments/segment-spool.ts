import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Log } from '@weir/plane';
import * as z from 'zod';
import type { Segment } from './segment.ts';

const entryName = /^\d{13,16}-\d{8}-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.ts$/;
const largestFacts = 16 * 1024;

/** The engine's words, as in its hook. */
const Facts = z.object({
  vhost: z.string(),
  app: z.string().min(1),
  stream: z.string().min(1),
  client_id: z.string(),
  duration: z.number().nonnegative(),
  seq_no: z.int().nonnegative(),
  discontinuity: z.boolean().optional(),
});

/** The directory where the engine leaves segments. Whatever was announced is in it until it is taken out. */
export class SegmentSpool {
  readonly #directory: string;
  readonly #log: Log;

  constructor(directory: string, log: Log) {
    this.#directory = directory;
    this.#log = log;
  }

  /** The id of a file of the spool; undefined of any other. No stream can have files of such a name. */
  idOf(file: string): string | undefined {
    const isOurs = basename(dirname(file)) === basename(this.#directory);
    return isOurs ? entryName.exec(basename(file))?.[1] : undefined;
  }

  /** Names of what waits, oldest first. */
  async names(): Promise<string[]> {
    const names = await readdir(this.#directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') this.#log.warn({ err: error }, 'the segments that wait cannot be listed');
      return [];
    });
    return names.filter((name) => entryName.test(name)).sort();
  }

  /** Undefined when it was taken meanwhile, or its facts cannot be read: then it is worth nothing and removed. */
  async read(name: string): Promise<Segment | undefined> {
    const [, id = ''] = entryName.exec(name) ?? [];
    const file = join(this.#directory, name);
    try {
      const text = await readFile(factsOf(file), 'utf8');
      if (text.length > largestFacts) throw new Error('its facts are too long');
      const { vhost, app, stream, client_id, duration, seq_no, discontinuity } = Facts.parse(JSON.parse(text));
      return {
        id,
        vhost,
        app,
        stream,
        clientId: client_id,
        file,
        durationMs: Math.round(duration * 1000),
        sequence: seq_no,
        isDiscontinuity: discontinuity,
      };
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
