import { type FileHandle, open } from 'node:fs/promises';
import { type SampleTable, sampleSpans } from '@weir/dialect';

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
