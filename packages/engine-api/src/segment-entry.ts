import { initExtension, type SegmentFormatName, segmentFormats } from '@weir/streams';

/** The name under which a finished segment waits for the control plane. Names sort in the order of their entries. */
export interface SegmentEntry {
  readonly keptAtMs: number;
  /** Within one process of the engine: tells entries of one millisecond apart. */
  readonly count: number;
  readonly id: string;
}

/** An entry is its media in some format, beside it what is known of it, and the init section if the format has one. */
export type EntryFile = SegmentFormatName | 'init' | 'facts';

const endings: Readonly<Record<EntryFile, string>> = {
  mpegts: segmentFormats.mpegts.extension,
  fmp4: segmentFormats.fmp4.extension,
  init: initExtension,
  facts: '.json',
};
const filesByEnding = new Map(Object.entries(endings).map(([file, ending]) => [ending, file as EntryFile]));
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const pattern = new RegExp(`^(\\d{13,16})-(\\d{8})-(${uuid})(\\.[a-z0-9]+)$`);
const segmentId = new RegExp(`^${uuid}$`);
/** Counts begin again here: their width in a name never changes. */
const mostCount = 100_000_000;

/** `<when>-<count>-<id>` and an ending. */
export function entryName({ keptAtMs, count, id }: SegmentEntry, file: EntryFile): string {
  return `${String(keptAtMs).padStart(13, '0')}-${String(count % mostCount).padStart(8, '0')}-${id}${endings[file]}`;
}

/** Undefined of any other name. No stream can have files of such a name. */
export function parseEntryName(name: string): (SegmentEntry & { readonly file: EntryFile }) | undefined {
  const [, keptAtMs, count, id = '', ending] = pattern.exec(name) ?? [];
  const file = filesByEnding.get(ending ?? '');
  return file && { keptAtMs: Number(keptAtMs), count: Number(count), id, file };
}

/** Ids become names of files and parts of addresses. */
export function isSegmentId(text: string): boolean {
  return segmentId.test(text);
}

/** Path of a file of the same entry. */
export function besideEntry(path: string, file: EntryFile): string {
  return path.replace(/\.[a-z0-9]+$/, endings[file]);
}
