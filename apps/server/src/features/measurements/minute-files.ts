import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { placeText, type SampleTable, serverSampleFields, streamSampleFields, type WirePlace } from '@weir/dialect';
import { Mutex } from '../../core/mutex.ts';
import { MinuteFile } from './minute-file.ts';

const ending = '.minutes';
const serverName = `server${ending}`;

interface Context {
  readonly directory: string;
  /** Streams that are remembered; the one that was live the longest ago goes first. */
  readonly mostStreams?: number;
}

/** A day of minutes of each stream and of the server, on disk. Names of streams become no names of files. */
export class MinuteFiles {
  readonly #directory: string;
  readonly #mostStreams: number;
  readonly #turns = new Mutex();

  constructor({ directory, mostStreams = 200 }: Context) {
    this.#directory = directory;
    this.#mostStreams = mostStreams;
  }

  async appendServer(samples: SampleTable): Promise<void> {
    await this.#append(serverName, serverSampleFields, samples);
  }

  async appendStream(place: WirePlace, samples: SampleTable): Promise<void> {
    const isNew = await this.#append(nameOf(place), streamSampleFields, samples);
    if (isNew) await this.#turns.take(() => this.#prune());
  }

  readServer(sinceMs: number, nowMs: number): Promise<SampleTable> {
    return this.#file(serverName, serverSampleFields).read(sinceMs, nowMs);
  }

  readStream(place: WirePlace, sinceMs: number, nowMs: number): Promise<SampleTable> {
    return this.#file(nameOf(place), streamSampleFields).read(sinceMs, nowMs);
  }

  async #append(name: string, fields: readonly string[], samples: SampleTable): Promise<boolean> {
    if (samples.at.length === 0) return false;
    return this.#turns.take(async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      return this.#file(name, fields).append(samples);
    }, name);
  }

  #file(name: string, fields: readonly string[]): MinuteFile {
    return new MinuteFile(join(this.#directory, name), fields);
  }

  async #prune(): Promise<void> {
    const names = (await readdir(this.#directory)).filter((name) => name.endsWith(ending) && name !== serverName);
    if (names.length <= this.#mostStreams) return;
    const ages = await Promise.all(names.map(async (name) => ({ name, atMs: await this.#changedMs(name) })));
    ages.sort((a, b) => a.atMs - b.atMs);
    for (const { name } of ages.slice(0, names.length - this.#mostStreams)) {
      await rm(join(this.#directory, name), { force: true });
    }
  }

  async #changedMs(name: string): Promise<number> {
    return (await stat(join(this.#directory, name)).catch(() => undefined))?.mtimeMs ?? 0;
  }
}

function nameOf(place: WirePlace): string {
  return createHash('sha256').update(placeText(place)).digest('hex').slice(0, 32).concat(ending);
}
