import type { ImportItem, ImportNote, ImportSubject } from '@weir/contract';
import type * as z from 'zod';
import type { StoredRow } from '../../core/store/store.ts';

/** Result for one item of another server's settings. Without rows it is left out, and the note is the reason. */
export interface ImportPart extends ImportItem {
  readonly rows: readonly StoredRow[];
}

/** An item that is there once, or one with a name. */
export type ImportName = ImportSubject | readonly [subject: ImportSubject, name: string];

export function taken(item: ImportName, rows: readonly StoredRow[], note: ImportNote = ''): ImportPart {
  return { ...named(item), rows, note, fact: '' };
}

/** `fact`: value in the sentence of the note, never one of the file: many are secrets. */
export function left(item: ImportName, note: Exclude<ImportNote, ''>, fact = ''): ImportPart {
  return { ...named(item), rows: [], note, fact };
}

const nameCharacters = 200;

/** Names come from a file: people read them in a terminal, too. */
function named(item: ImportName): Pick<ImportItem, 'subject' | 'name'> {
  const [subject, name] = typeof item === 'string' ? [item, ''] : item;
  return { subject, name: name.replaceAll(/\p{Cc}/gu, '').slice(0, nameCharacters) };
}

export function row(collection: string, key: string, value: unknown): StoredRow {
  return { collection, key, value: JSON.stringify(value) };
}

/** Taken if it fits, left with the field that does not. */
export function fitting<Schema extends z.ZodType>(
  item: ImportName,
  schema: Schema,
  value: unknown,
  partOf: (value: z.output<Schema>) => ImportPart,
): ImportPart {
  const parsed = schema.safeParse(value);
  if (parsed.success) return partOf(parsed.data);
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || 'value'))];
  return left(item, 'badFields', fields.join(', '));
}
