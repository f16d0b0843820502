import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  placeText,
  type SampleTable,
  sampleSpans,
  serverSampleFields,
  streamSampleFields,
  type WirePlace,
} from '@weir/streams';
import { Mutex } from '../../core/mutex.ts';

const headBytes = 2048;
const minuteMs = 60_000;
const dayMs = sampleSpans.kept * minuteMs;

/**
 * A day of minutes in a file of fixed size. Every minute has its place, so a row is one write and an old one is overwritten by the one a
 * day later. A row that was torn by a crash does not belong to its place and is not read.
 *
 *   head: JSON with the names of the columns, filled up with spaces      row: when it began (8 bytes), then 4 bytes for each column
 */
export class MinuteFile {
  readonly #path: string;
  readonly #fields: readonly string[];
  readonly #rowBytes: number;

  constructor(path: string, fields: readonly string[]) {
    this.#path = path;
    this.#fields = fields;
    this.#rowBytes = 8 + fields.length * 4;
  }

  /** Says whether the file is new. */
  async append({ at, columns }: SampleTable): Promise<boolean> {
    const { file, isNew } = await this.#open();
    try {
      for (const [index, atMs] of at.entries()) {
        const values = this.#fields.map((field) => columns[field]?.[index] ?? Number.NaN);
        await file.write(this.#row(atMs, values), 0, this.#rowBytes, this.#placeOf(atMs));
      }
    } finally {
      await file.close();
    }
    return isNew;
  }

  /** Minutes after the given moment and within the day before now, oldest first. */
  async read(sinceMs: number, nowMs: number): Promise<SampleTable> {
    const bytes = await this.#bytes();
    const rows: Buffer[] = [];
    for (let at = headBytes; at + this.#rowBytes <= bytes.length; at += this.#rowBytes) {
      const row = bytes.subarray(at, at + this.#rowBytes);
      const atMs = row.readDoubleLE(0);
      const isOwn = atMs > 0 && this.#placeOf(atMs) === at;
      if (isOwn && atMs > sinceMs && atMs > nowMs - dayMs && atMs <= nowMs) rows.push(row);
    }
    rows.sort((a, b) => a.readDoubleLE(0) - b.readDoubleLE(0));
    const column = (index: number) => rows.map((row) => shown(row.readFloatLE(8 + index * 4)));
    return {
      at: rows.map((row) => row.readDoubleLE(0)),
      columns: Object.fromEntries(this.#fields.map((field, index) => [field, column(index)])),
    };
  }

  async #open(): Promise<{ file: FileHandle; isNew: boolean }> {
    const file = await open(this.#path, 'r+').catch(() => undefined);
    if (file) {
      const { buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      if (buffer.equals(this.#head())) return { file, isNew: false };
      await file.close();
    }
    const made = await open(this.#path, 'w', 0o600);
    await made.write(this.#head(), 0, headBytes, 0);
    await made.truncate(headBytes + sampleSpans.kept * this.#rowBytes);
    return { file: made, isNew: true };
  }

  async #bytes(): Promise<Buffer> {
    const file = await open(this.#path, 'r').catch(() => undefined);
    if (!file) return Buffer.alloc(0);
    try {
      const size = headBytes + sampleSpans.kept * this.#rowBytes;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
      const isOurs = buffer.subarray(0, headBytes).equals(this.#head());
      return isOurs ? buffer.subarray(0, bytesRead) : Buffer.alloc(0);
    } finally {
      await file.close();
    }
  }

  #head(): Buffer {
    return Buffer.from(
      JSON.stringify({ version: 1, fields: this.#fields })
        .padEnd(headBytes - 1)
        .concat('\n'),
    );
  }

  #row(atMs: number, values: readonly number[]): Buffer {
    const row = Buffer.alloc(this.#rowBytes);
    row.writeDoubleLE(atMs, 0);
    for (const [index, value] of values.entries()) row.writeFloatLE(value, 8 + index * 4);
    return row;
  }

  #placeOf(atMs: number): number {
    return headBytes + (Math.floor(atMs / minuteMs) % sampleSpans.kept) * this.#rowBytes;
  }
}

function shown(value: number): number | null {
  return Number.isNaN(value) ? null : Math.round(value * 100) / 100;
}

const ending = '.minutes';
const serverName = `server${ending}`;

interface Context {
  readonly directory: string;
  /** Limit of remembered streams; the one that ended first is dropped. */
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
