/** A little room above the highest point, so that its stroke is not cut. */
const headroom = 1.08;

/** Paths in a square of 100 by 100, the newest at the right edge. The upper edge is the largest value, or `least`. What is not known is a gap. */
export function buildSparklinePath(values: readonly (number | null)[], least = 0): { line: string; area: string } {
  const top = Math.max(least, ...values.map((value) => value ?? 0)) * headroom || 1;
  const step = 100 / Math.max(1, values.length - 1);
  let line = '';
  let area = '';
  let from: number | undefined;
  for (const [index, value] of values.entries()) {
    const x = short(index * step);
    if (value === null) {
      from = undefined;
      continue;
    }
    const y = short(100 - (value / top) * 100);
    line += `${from === undefined ? 'M' : 'L'}${x} ${y}`;
    area += from === undefined ? `M${x} 100L${x} ${y}` : `L${x} ${y}`;
    from ??= x;
    // Where it ends the area goes down to the ground and back.
    if ((values[index + 1] ?? null) === null) area += `L${x} 100L${from} 100Z`;
  }
  return { line, area };
}

function short(value: number): number {
  return Math.round(value * 10) / 10;
}
