import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Descriptor of the hidden options: the first after the standard three. */
export const hiddenPath = '/dev/fd/3';

/** Options of an output that hold secrets. */
export type HiddenOptions = readonly (readonly [name: string, value: string])[];

/** Longest line that ffmpeg reads from such a file, including name and line end. */
const longestLine = 990;

/** True for a value that fits into one line of the file. */
export function canHide(name: string, value: string): boolean {
  return value !== '' && !/[\r\n\0]/.test(value) && Buffer.byteLength(`${name}=${value}`) < longestLine;
}

/** Formats options for ffmpeg's `-fpre`. */
export function hiddenText(options: HiddenOptions): string {
  return options.map(([name, value]) => `${name}=${value}\n`).join('');
}

/** Unnamed file for one child, because every user of the machine can see arguments. It is gone once it is closed. */
export class NamelessFile {
  readonly descriptor: number;

  constructor(text: string) {
    const path = join(tmpdir(), `weir-${randomUUID()}`);
    this.descriptor = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    // At a position of its own, so that reading begins at the beginning.
    writeSync(this.descriptor, Buffer.from(text), 0, undefined, 0);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
