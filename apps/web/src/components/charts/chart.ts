/** Colours are numbered; the theme defines them. */
export interface ChartLine {
  readonly key: string;
  readonly name: string;
  readonly color: 1 | 2 | 3 | 4 | 5 | 6;
  /** One value per point of the time axis; null if unknown. */
  readonly values: readonly (number | null)[];
}

export interface Chart {
  readonly key: string;
  readonly title: string;
  readonly lines: readonly ChartLine[];
  readonly format: (value: number) => string;
}

interface LineSummary {
  readonly least: number;
  readonly mean: number;
  readonly most: number;
  readonly latest: number;
}

export function summarizeLine({ values }: Pick<ChartLine, 'values'>): LineSummary | undefined {
  const known = values.filter((value) => value !== null);
  const latest = known.at(-1);
  if (latest === undefined) return undefined;
  const sum = known.reduce((total, value) => total + value, 0);
  return { least: Math.min(...known), mean: sum / known.length, most: Math.max(...known), latest };
}

/** Points without neighbours, which need a dot because no line connects them. */
export function findIsolatedPoints(values: readonly (number | null | undefined)[]): number[] {
  const isKnown = (index: number) => typeof values[index] === 'number';
  return [...values.keys()].filter((index) => isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1));
}

/** Moves overlapping labels apart; others keep their position. */
export function spreadLabels(heights: readonly number[], distance: number, lowest: number): number[] {
  const order = [...heights.keys()].sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const moved = [...heights];
  let free = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    moved[index] = Math.max(moved[index] ?? 0, free);
    free = (moved[index] ?? 0) + distance;
  }
  let limit = lowest;
  for (const index of order.reverse()) {
    moved[index] = Math.min(moved[index] ?? 0, limit);
    limit = (moved[index] ?? 0) - distance;
  }
  return moved;
}
