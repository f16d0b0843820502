import type { SampleTable } from '@weir/dialect';

const minuteMs = 60_000;

/** How far back charts look, and how far apart their points are. */
export const chartSpans = {
  '5m': { lengthMs: 5 * minuteMs, stepMs: 1000 },
  '1h': { lengthMs: 60 * minuteMs, stepMs: minuteMs },
  '24h': { lengthMs: 24 * 60 * minuteMs, stepMs: minuteMs },
} as const;
export type ChartSpan = keyof typeof chartSpans;

/** The time axis that charts side by side share: moments at the same distance, the last one the newest there is. */
export interface TimeGrid {
  readonly firstMs: number;
  readonly stepMs: number;
  readonly length: number;
}

export function createTimeGrid(span: ChartSpan, newestMs: number): TimeGrid {
  const { lengthMs, stepMs } = chartSpans[span];
  const lastMs = Math.round(newestMs / stepMs) * stepMs;
  return { firstMs: lastMs - lengthMs + stepMs, stepMs, length: lengthMs / stepMs };
}

/** Moments in seconds, as the charting library counts. */
export function gridSeconds({ firstMs, stepMs, length }: TimeGrid): number[] {
  return Array.from({ length }, (_, index) => (firstMs + index * stepMs) / 1000);
}

/** Values at the places of the grid; null where nothing is known. */
export function alignToGrid(
  grid: TimeGrid,
  at: SampleTable['at'],
  values: readonly (number | null)[] | undefined,
): (number | null)[] {
  const placed = new Array<number | null>(grid.length).fill(null);
  for (const [index, atMs] of at.entries()) {
    const place = Math.round((atMs - grid.firstMs) / grid.stepMs);
    if (place >= 0 && place < grid.length) placed[place] = values?.[index] ?? null;
  }
  return grid.stepMs === 1000 ? fillSingleGaps(placed) : placed;
}

/** A timer that is a little late leaves out a second now and then, which is no gap in what was measured. */
function fillSingleGaps(placed: readonly (number | null)[]): (number | null)[] {
  return placed.map((value, index) => {
    const [before, after] = [placed[index - 1] ?? null, placed[index + 1] ?? null];
    return value === null && after !== null ? before : value;
  });
}
