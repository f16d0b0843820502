import { type SampleTable, sampleSpans } from '@weir/streams';

/** Appends newer samples without duplicates and drops those older than `keptMs`. */
export function joinSamples<Field extends string>(
  known: SampleTable<Field> | undefined,
  newer: SampleTable<Field>,
  keptMs = sampleSpans.seconds * 1000,
): { at: number[]; columns: Record<Field, (number | null)[]> } {
  const lastMs = known?.at.at(-1) ?? 0;
  const from = newer.at.findIndex((atMs) => atMs > lastMs);
  const fresh = <T>(values: readonly T[]) => (from < 0 ? [] : values.slice(from));
  const at = [...(known?.at ?? []), ...fresh(newer.at)];
  const firstMs = (at.at(-1) ?? 0) - keptMs;
  const kept = at.findIndex((atMs) => atMs > firstMs);
  const fields = Object.keys(newer.columns) as Field[];
  const columns = fields.map((field) => {
    const before = known?.columns[field] ?? (known?.at ?? []).map(() => null);
    return [field, [...before, ...fresh(newer.columns[field])].slice(kept)];
  });
  return { at: at.slice(kept), columns: Object.fromEntries(columns) as Record<Field, (number | null)[]> };
}
