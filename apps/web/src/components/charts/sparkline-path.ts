/** Keeps the stroke of the highest point inside the box. */
const headroom = 1.08;

/**
 * SVG paths in a 100 by 100 box, newest value at the right. The top is the largest value, or `least` if that is larger. Unknown values
 * leave gaps.
 */
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
    // Closes the area at the end of a run.
    if ((values[index + 1] ?? null) === null) area += `L${x} 100L${from} 100Z`;
  }
  return { line, area };
}

function short(value: number): number {
  return Math.round(value * 10) / 10;
}
