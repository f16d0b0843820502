import { createHash } from 'node:crypto';
import { resolve, sep } from 'node:path';
import type { SegmentFormat } from '@weir/streams';

/** Longest file name part that leaves room for numbers below the 255 bytes of common file systems. */
const maxLevelLength = 150;
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Paths of a stream's segments on disk and in URLs. The key comes from a publisher and may hold anything. */
export class StreamPaths {
  readonly directory: string;
  /**
   * URL prefix of segments in playlists: relative, or absolute for a stream of another vhost, whose playlist is
   * requested without the vhost in its path.
   */
  readonly name: string;
  readonly #fileName: string;
  readonly #urlDirectory: string;
  readonly #urlName: string;

  /** `mark`: appended to the name, for renditions of a stream. */
  constructor(root: string, key: string, mark = '') {
    const levels = key.split('/');
    const name = levels.pop() ?? '';
    const top = resolve(root);
    this.directory = resolve(top, ...levels.map(fileLevel));
    if (this.directory !== top && !this.directory.startsWith(top.endsWith(sep) ? top : top + sep))
      throw new Error('a stream name leads out of the HLS directory');
    this.#fileName = fileLevel(name) + mark;
    this.#urlDirectory = ['', ...levels.map(urlLevel), ''].join('/');
    this.#urlName = urlLevel(name) + mark;
    this.name = levels.includes('') ? this.#urlDirectory + this.#urlName : this.#urlName;
  }

  /** Absolute file for something called `<name><rest>`. */
  file(rest: string): string {
    return `${this.directory}${sep}${this.#fileName}${rest}`;
  }

  /** Path of its address, percent-encoded. */
  url(rest: string): string {
    return `${this.#urlDirectory}${this.#urlName}${rest}`;
  }
}

export const segmentRest = (sequence: number, timestampMs: number, { extension }: SegmentFormat): string =>
  `-${sequence}-${timestampMs}${extension}`;

/** Between the name of a stream and the id of an init section. */
export const initMark = '-init-';

function urlLevel(level: string): string {
  return encodeURIComponent(level.toWellFormed());
}

/**
 * One level as a file name: no separators, nothing hidden or relative, no option, no device of Windows, not too long.
 * Different levels give different names, so that two streams never share files.
 */
function fileLevel(level: string): string {
  const escaped = urlLevel(level)
    .replace(/[*!'()~]/g, percent)
    .replace(/^[.-]|\.(?=\.)|\.$/g, percent);
  if (escaped === '') return '%';
  if (escaped.length > maxLevelLength) {
    const hash = createHash('sha256').update(level).digest('hex').slice(0, 32);
    // Escapes are `%` and hexadecimal digits, so `%h` cannot be one.
    return `${escaped.slice(0, 80)}%h${hash}`;
  }
  return deviceNames.test(escaped) ? percent(escaped.slice(0, 1)) + escaped.slice(1) : escaped;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
