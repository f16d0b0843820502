import type { ImportFormat, ImportItem, ImportReport } from '@weir/contract';
import type { StoredRow } from '../core/store/store.ts';
import type { ImportPart } from './import/import-part.ts';
import { importMediamtx } from './import/mediamtx-import.ts';
import { importNginxRtmp } from './import/nginx-rtmp-import.ts';
import { importRestreamer } from './import/restreamer-import.ts';
import { importSrs } from './import/srs-import.ts';

const importers: Record<ImportFormat, (text: string, now: Date) => ImportPart[]> = {
  srs: importSrs,
  mediamtx: importMediamtx,
  'nginx-rtmp': importNginxRtmp,
  restreamer: importRestreamer,
};

/** Items of a configuration file. Throws `ConfigTextError` for a file of another kind. */
export function readImport(format: ImportFormat, text: string, now: Date): ImportPart[] {
  return importers[format](text, now);
}

interface Present {
  has(row: StoredRow): boolean;
}

/** Rows to write, and the report. Values that are set already stay unless they are to be replaced. */
export function planImport(parts: readonly ImportPart[], present: Present, replaces: boolean) {
  const refused = parts.filter(({ rows }) => !replaces && rows.some((row) => present.has(row)));
  const accepted = parts.filter((part) => part.rows.length > 0 && !refused.includes(part));
  const unusable = parts.filter(({ rows }) => rows.length === 0);
  const isSet = refused.map(({ subject, name }): ImportItem => ({ subject, name, note: 'isSet', fact: '' }));
  const report: ImportReport = { taken: accepted.map(itemOf), left: [...isSet, ...unusable.map(itemOf)] };
  return { rows: accepted.flatMap(({ rows }) => rows), report };
}

function itemOf({ subject, name, note, fact }: ImportPart): ImportItem {
  return { subject, name, note, fact };
}

/** Texts of the console by subject and note. */
export interface ImportWords {
  readonly subject: Readonly<Record<string, string>>;
  readonly note: Readonly<Record<string, string>>;
}

/** Name and note of an item, in the words of the console. */
export function describeItem({ subject, name, note, fact }: ImportItem, words: ImportWords) {
  return {
    name: (words.subject[subject] ?? subject).replace('{{name}}', () => name),
    note: (words.note[note] ?? '').replace('{{fact}}', () => fact),
  };
}
