import type { SampleTable } from '@weir/streams';

const minuteMs = 60_000;

/** Time range of the charts and distance of their points. */
export const chartSpans = {
  '5m': { lengthMs: 5 * minuteMs, stepMs: 1000 },
  '1h': { lengthMs: 60 * minuteMs, stepMs: minuteMs },
  '24h': { lengthMs: 24 * 60 * minuteMs, stepMs: minuteMs },
} as const;
export type ChartSpan = keyof typeof chartSpans;

/** Shared time axis with even steps, ending at the newest sample. */
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

/** Time axis in seconds, as uPlot expects. */
export function gridSeconds({ firstMs, stepMs, length }: TimeGrid): number[] {
  return Array.from({ length }, (_, index) => (firstMs + index * stepMs) / 1000);
}

/** Values aligned to the grid; null if unknown. */
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

/** A late timer skips a second now and then, which is no gap in the measurement. */
function fillSingleGaps(placed: readonly (number | null)[]): (number | null)[] {
  return placed.map((value, index) => {
    const [before, after] = [placed[index - 1] ?? null, placed[index + 1] ?? null];
    return value === null && after !== null ? before : value;
  });
}
