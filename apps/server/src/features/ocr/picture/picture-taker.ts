import { readFile, rename, rm, stat } from 'node:fs/promises';
import { placeOnClock } from '../../../pipelines/segment-start.ts';
import type { OcrFiles } from '../pipeline/ocr-files.ts';
import type { OcrRow } from '../pipeline/ocr-row.ts';
import { pictureArgs } from './picture-args.ts';

interface Picture {
  readonly bytes: number;
  /** In shades of grey. */
  readonly thumbnail: Uint8Array;
  /** Of the segment, on the clock of its stream. */
  readonly startMs: number;
}

/** Viewers and publishers go first. */
const niceness = 10;
const withinMs = 20_000;
/** More is not a picture of a stream, whatever the segment holds. */
const mostBytes = 8 * 1024 * 1024;

/** Takes the picture of a segment. */
export class PictureTaker {
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
      // Loaded by the first picture: an idle server does without.
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
