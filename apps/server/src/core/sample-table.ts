import type { SampleTable } from '@weir/streams';

/** Returns exactly the given columns; null for values that an engine of another version lacks. */
export function sampleTable<Field extends string>(
  table: SampleTable | undefined,
  fields: readonly Field[],
): { at: number[]; columns: Record<Field, (number | null)[]> } {
  const at = [...(table?.at ?? [])];
  const columns: Partial<Record<Field, (number | null)[]>> = {};
  for (const field of fields) columns[field] = at.map((_, index) => table?.columns[field]?.[index] ?? null);
  return { at, columns: columns as Record<Field, (number | null)[]> };
}
