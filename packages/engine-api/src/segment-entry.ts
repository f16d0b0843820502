/** The name under which a finished segment waits for the control plane. Names sort in the order of their entries. */
export interface SegmentEntry {
  readonly keptAtMs: number;
  /** Within one process of the engine: tells entries of one millisecond apart. */
  readonly count: number;
  readonly id: string;
}

/** An entry is two files: its media, and beside it what is known of it. */
type EntryFile = 'media' | 'facts';

const endings: Record<EntryFile, string> = { media: '.ts', facts: '.json' };
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const pattern = new RegExp(`^(\\d{13,16})-(\\d{8})-(${uuid})(\\.ts|\\.json)$`);
const segmentId = new RegExp(`^${uuid}$`);
/** Counts begin again here: their width in a name never changes. */
const mostCount = 100_000_000;

/** `<when>-<count>-<id>.ts` or `.json`. */
export function entryName({ keptAtMs, count, id }: SegmentEntry, file: EntryFile): string {
  return `${String(keptAtMs).padStart(13, '0')}-${String(count % mostCount).padStart(8, '0')}-${id}${endings[file]}`;
}

/** Undefined of any other name. No stream can have files of such a name. */
export function parseEntryName(name: string): (SegmentEntry & { readonly file: EntryFile }) | undefined {
  const [, keptAtMs, count, id = '', ending] = pattern.exec(name) ?? [];
  if (ending === undefined) return undefined;
  const file = ending === endings.media ? 'media' : 'facts';
  return { keptAtMs: Number(keptAtMs), count: Number(count), id, file };
}

/** Ids become names of files and parts of addresses. */
export function isSegmentId(text: string): boolean {
  return segmentId.test(text);
}
