/** Size of the greyscale thumbnail used for comparison. */
export const thumbnailSize = { width: 320, height: 180 } as const;

/** Difference of brightness from which a pixel counts as changed. Encoders cause smaller differences. */
const shadeStep = 24;
/** Side of the squares in which changed pixels are counted, so that a changed word counts but grain all over the picture does not. */
const squarePixels = 20;
/** Changed pixels in one square: about half of a small digit. */
const changedPixels = 4;

/** Compares two thumbnails. True without an earlier one. */
export function hasChanged(before: Uint8Array | undefined, now: Uint8Array): boolean {
  if (before === undefined || before.length !== now.length) return true;
  const { width } = thumbnailSize;
  const across = Math.ceil(width / squarePixels);
  const squares = new Uint16Array(across * Math.ceil(now.length / width / squarePixels));
  for (let at = 0; at < now.length; at++) {
    if (Math.abs((now[at] ?? 0) - (before[at] ?? 0)) <= shadeStep) continue;
    const square = Math.floor(at / width / squarePixels) * across + Math.floor((at % width) / squarePixels);
    const count = (squares[square] ?? 0) + 1;
    if (count >= changedPixels) return true;
    squares[square] = count;
  }
  return false;
}
