import type * as z from 'zod';
import type { StoredRow } from '../../core/store/store.ts';

/** Result for one item of another server's settings. `note`: remaining manual work, or the reason it was left out. */
export interface ImportPart {
  readonly what: string;
  readonly rows: readonly StoredRow[];
  readonly note?: string;
}

export function taken(what: string, rows: readonly StoredRow[], note?: string): ImportPart {
  return { what, rows, ...(note !== undefined && { note }) };
}

export function left(what: string, note: string): ImportPart {
  return { what, rows: [], note };
}

export function row(collection: string, key: string, value: unknown): StoredRow {
  return { collection, key, value: JSON.stringify(value) };
}

/** Taken if it fits, left with the field that does not. Values are never repeated: many are secrets. */
export function fitting<Schema extends z.ZodType>(
  what: string,
  schema: Schema,
  value: unknown,
  rowsOf: (value: z.output<Schema>) => ImportPart,
): ImportPart {
  const parsed = schema.safeParse(value);
  if (parsed.success) return rowsOf(parsed.data);
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || 'value'))];
  return left(what, `${fields.join(', ')} can't be used here`);
}
