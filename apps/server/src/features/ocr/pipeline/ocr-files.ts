import { SegmentFolder } from '../../../pipelines/segment-folder.ts';
import { usualFormat } from '../../../segments/segment-feed.ts';
import { type OcrRow, segmentIds } from './ocr-row.ts';

/** The files of segments: what came, and its picture. */
export class OcrFiles {
  readonly #folder: SegmentFolder;

  constructor(directory: string) {
    this.#folder = new SegmentFolder(directory, { kinds: ['org', 'image'], endings: ['ts', 'jpg', 'gray'] });
  }

  org(row: OcrRow): string {
    return this.#folder.path(namesOf(row).org);
  }

  image(row: OcrRow): string {
    return this.#folder.path(namesOf(row).image);
  }

  /** Exists only while the picture is taken. */
  thumbnail(row: OcrRow): string {
    return this.#folder.path(namesOf(row).thumbnail);
  }

  /** Gives the file of a finished segment a second name here; says how large it is. */
  keep(row: OcrRow, file: string): Promise<number> {
    return this.#folder.keep(namesOf(row).org, file);
  }

  remove(row: OcrRow): Promise<void> {
    return this.#folder.remove(Object.values(namesOf(row)));
  }

  sweep(rows: readonly OcrRow[]): Promise<number> {
    return this.#folder.sweep(new Set(rows.map(namesOf).flatMap(({ org, image }) => [org, image])));
  }
}

function namesOf(row: OcrRow) {
  const { org, image } = segmentIds(row);
  return { org: org + usualFormat.extension, image: `${image}.jpg`, thumbnail: `${image}.gray` };
}
