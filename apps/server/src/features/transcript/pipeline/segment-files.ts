import { rm, stat } from 'node:fs/promises';
import { linkFile } from '../../../core/link-file.ts';
import { SegmentFolder } from '../../../pipelines/segment-folder.ts';
import { usualFormat } from '../../../segments/segment-feed.ts';
import { type SegmentRow, segmentIds } from './segment-row.ts';

/** The files of segments: what came, and what was made of it. */
export class SegmentFiles {
  readonly #folder: SegmentFolder;

  constructor(directory: string) {
    this.#folder = new SegmentFolder(directory, {
      kinds: ['org', 'audio', 'overlay'],
      endings: ['ts', 'ass', 'm4a', 'srt'],
    });
  }

  org(row: SegmentRow): string {
    return this.#folder.path(namesOf(row).org);
  }

  overlay(row: SegmentRow): string {
    return this.#folder.path(namesOf(row).overlay);
  }

  /** Exists only while text is burnt in. */
  subtitles(row: SegmentRow): string {
    return this.#folder.path(namesOf(row).subtitles);
  }

  /** Gives the file of a finished segment a second name here; says how large it is. */
  keep(row: SegmentRow, file: string): Promise<number> {
    return this.#folder.keep(namesOf(row).org, file);
  }

  /** The output is what came. */
  async pass(row: SegmentRow): Promise<number> {
    await rm(this.overlay(row), { force: true });
    await linkFile(this.org(row), this.overlay(row));
    return (await stat(this.overlay(row))).size;
  }

  has(row: SegmentRow): Promise<boolean> {
    return this.#folder.has(namesOf(row).org);
  }

  remove(row: SegmentRow): Promise<void> {
    return this.#folder.remove(Object.values(namesOf(row)));
  }

  /** Removes files without a row. Unpublished rows lose their output too, which is made again, perhaps with another text. */
  sweep(rows: readonly SegmentRow[]): Promise<number> {
    const needed = rows.map((row) => ({ row, ...namesOf(row) }));
    return this.#folder.sweep(
      new Set(needed.flatMap(({ row, org, overlay }) => (row.queue === 'overlay' ? [org, overlay] : [org]))),
    );
  }
}

function namesOf(row: SegmentRow) {
  const { extension } = usualFormat;
  const { org, overlay } = segmentIds(row);
  return { org: org + extension, overlay: overlay + extension, subtitles: `${overlay}.ass` };
}
