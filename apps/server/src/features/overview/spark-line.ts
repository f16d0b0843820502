import { sparkline } from '@weir/contract';

/**
 * The mean of every few seconds of the last minutes, oldest first. Steps lie at fixed times, so that a point does not change once it is
 * drawn; the one that is not over is left out.
 */
export function sparkLine(at: readonly number[], values: readonly (number | null)[], nowMs: number): (number | null)[] {
  const { points, stepMs } = sparkline;
  const end = Math.floor(nowMs / stepMs);
  const sums = new Float64Array(points);
  const counts = new Uint32Array(points);
  for (const [index, atMs] of at.entries()) {
    const value = values[index] ?? null;
    const point = points - (end - Math.floor(atMs / stepMs));
    if (value === null || point < 0 || point >= points) continue;
    sums[point] = (sums[point] ?? 0) + value;
    counts[point] = (counts[point] ?? 0) + 1;
  }
  return Array.from(sums, (sum, point) => meanOf(sum, counts[point] ?? 0));
}

function meanOf(sum: number, count: number): number | null {
  // Enough for a line a few pixels high; a hundred streams send six thousand of them.
  return count === 0 ? null : Number((sum / count).toPrecision(4));
}
