import { readFile, rename, rm, stat } from 'node:fs/promises';
import { pictureLimit } from '@weir/process/picture-limit';
import { placeOnClock } from '../../../pipelines/segment-start.ts';
import { usualFormat } from '../../../segments/segment-feed.ts';
import type { OcrFiles } from '../pipeline/ocr-files.ts';
import type { OcrRow } from '../pipeline/ocr-row.ts';
import { thumbnailSize } from './has-changed.ts';

interface PictureFiles {
  readonly from: string;
  readonly image: string;
  readonly thumbnail: string;
}

/** Larger ones read no better. */
const widest = 1920;

/** The first picture of a segment as JPEG, and the small one that it is compared by. */
export function pictureArgs({ from, image, thumbnail }: PictureFiles): string[] {
  const { width, height } = thumbnailSize;
  const first = ['-map', '0:v:0', '-frames:v', '1', '-an'];
  return [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'error',
    '-threads',
    '1',
    '-protocol_whitelist',
    'file',
    ...pictureLimit,
    '-f',
    usualFormat.demuxer,
    '-i',
    `file:${from}`,
    ...first,
    '-vf',
    `scale='min(${widest},iw)':-2`,
    '-q:v',
    '4',
    '-threads',
    '1',
    '-c:v',
    'mjpeg',
    '-f',
    'image2',
    '-update',
    '1',
    '-y',
    `file:${image}`,
    ...first,
    '-vf',
    `scale=${width}:${height}:flags=area,format=gray`,
    '-threads',
    '1',
    '-c:v',
    'rawvideo',
    '-f',
    'rawvideo',
    '-y',
    `file:${thumbnail}`,
  ];
}

interface Picture {
  readonly bytes: number;
  /** Greyscale pixels. */
  readonly thumbnail: Uint8Array;
  /** Start of the segment on the clock of its stream. */
  readonly startMs: number;
}

/** Lower priority than viewers and publishers. */
const niceness = 10;
const withinMs = 20_000;
/** Limit of the size of a picture. */
const mostBytes = 8 * 1024 * 1024;

/** Takes the picture of a segment. */
export class FrameGrabber {
  readonly #files: OcrFiles;

  constructor(files: OcrFiles) {
    this.#files = files;
  }

  async take(row: OcrRow, signal: AbortSignal): Promise<Picture> {
    const from = this.#files.org(row);
    const to = this.#files.image(row);
    const [image, thumbnail] = [`${to}.tmp`, `${this.#files.thumbnail(row)}.tmp`];
    try {
      const { startMs } = await placeOnClock(from, row, undefined);
      // Loaded on first use, to save memory on idle servers.
      const { runTool } = await import('@weir/process');
      const args = pictureArgs({ from, image, thumbnail });
      const end = await runTool({ command: 'ffmpeg', args, niceness, withinMs, signal });
      signal.throwIfAborted();
      if (end.code !== 0 || end.cut) throw new Error(end.cut ? 'extracting the image took too long' : end.reason);
      const { size: bytes } = await stat(image);
      if (bytes === 0 || bytes > mostBytes) throw new Error('the segment has no usable video frame');
      const shades = await readFile(thumbnail);
      await rename(image, to);
      return { bytes, thumbnail: shades, startMs };
    } finally {
      for (const file of [image, thumbnail]) await rm(file, { force: true });
    }
  }
}
