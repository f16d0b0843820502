import type { Box } from './pixels.ts';

/** Boxes as lines from top to bottom, each from left to right. Boxes are on one line when they share half of the lower one's height. */
export function toReadingOrder<T extends Box>(boxes: readonly T[]): T[][] {
  const lines: T[][] = [];
  for (const box of [...boxes].sort((a, b) => middle(a) - middle(b))) {
    const line = lines.findLast((each) => each.some((other) => isBeside(box, other)));
    if (line) line.push(box);
    else lines.push([box]);
  }
  return lines.map((line) => line.sort((a, b) => a.left - b.left));
}

const middle = ({ top, bottom }: Box) => (top + bottom) / 2;

function isBeside(one: Box, other: Box): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return shared > 0.5 * Math.min(one.bottom - one.top, other.bottom - other.top);
}
