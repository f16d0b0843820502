import type { Box } from './pixels.ts';

/** Probability per pixel that it belongs to text. */
interface ProbabilityMap {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** Thresholds of PaddleOCR's video models. */
const isText = 0.3;
const leastMean = 0.5;
/** The model marks only the core of a line; the margin follows from its size. */
const growth = 1.6;
const leastSide = 3;
/** Limit, because noise can look like any number of texts. */
const mostBoxes = 100;

/** Finds boxes around connected regions, the largest first. Axis-aligned, since text in video is rarely rotated. */
export function findTextBoxes(map: ProbabilityMap): Box[] {
  const regions = findRegions(map).filter(
    ({ left, right, top, bottom, sum, count }) =>
      sum / count >= leastMean && right - left >= leastSide && bottom - top >= leastSide,
  );
  const areaOf = ({ left, right, top, bottom }: Box) => (right - left) * (bottom - top);
  return regions
    .sort((a, b) => areaOf(b) - areaOf(a))
    .slice(0, mostBoxes)
    .map((box) => growBox(box, map));
}

function growBox(box: Box, { width, height }: ProbabilityMap): Box {
  const [across, down] = [box.right - box.left, box.bottom - box.top];
  const by = ((across * down) / (2 * (across + down))) * growth;
  return {
    left: Math.max(0, box.left - by),
    top: Math.max(0, box.top - by),
    right: Math.min(width, box.right + by),
    bottom: Math.min(height, box.bottom + by),
  };
}

interface Region extends Box {
  readonly sum: number;
  readonly count: number;
}

function findRegions({ width, height, values }: ProbabilityMap): Region[] {
  const isSeen = new Uint8Array(width * height);
  const stack = new Int32Array(width * height);
  const regions: Region[] = [];
  for (let first = 0; first < values.length; first++) {
    if (isSeen[first] || (values[first] ?? 0) <= isText) continue;
    let [left, right, top, bottom, sum, count] = [width, 0, height, 0, 0, 0];
    let depth = 0;
    stack[depth++] = first;
    isSeen[first] = 1;
    while (depth > 0) {
      const at = stack[--depth] ?? 0;
      const [x, y] = [at % width, Math.floor(at / width)];
      sum += values[at] ?? 0;
      count += 1;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
      for (const next of [x > 0 ? at - 1 : -1, x + 1 < width ? at + 1 : -1, at - width, at + width]) {
        if (next < 0 || next >= values.length || isSeen[next] || (values[next] ?? 0) <= isText) continue;
        isSeen[next] = 1;
        stack[depth++] = next;
      }
    }
    regions.push({ left, right, top, bottom, sum, count });
  }
  return regions;
}
