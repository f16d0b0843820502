/** Where each row begins, and where the last one ends: one more than there are rows. */
export function rowOffsets(
  keys: readonly string[],
  heights: ReadonlyMap<string, number>,
  estimate: number,
): readonly number[] {
  const offsets = [0];
  let sum = 0;
  for (const key of keys) {
    sum += heights.get(key) ?? estimate;
    offsets.push(sum);
  }
  return offsets;
}

/** Rows from `first` to before `last` that can be seen, and those within `beyond` pixels of them. */
export function visibleRange(offsets: readonly number[], top: number, height: number, beyond: number) {
  const rows = offsets.length - 1;
  const first = Math.max(0, Math.min(rows - 1, lastBefore(offsets, top - beyond)));
  const last = Math.min(rows, lastBefore(offsets, top + height + beyond) + 1);
  return { first, last };
}

/** Where to scroll to, so that a row is seen whole with up to so many rows above it, in the upper two thirds of the view. */
export function scrollTopFor(offsets: readonly number[], index: number, above: number, height: number): number {
  const end = offsets[index + 1] ?? 0;
  let first = Math.max(0, index - above);
  while (first < index && end - (offsets[first] ?? 0) > height * 0.67) first += 1;
  return offsets[first] ?? 0;
}

/** The last place that begins at or before this pixel. */
function lastBefore(offsets: readonly number[], pixel: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= pixel) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
