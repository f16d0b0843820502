/** A line of text as planes of one size, for example blue, green and red. */
interface LineImage {
  readonly planes: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** A character and the middle of its place in the line, in pixels. */
export interface PlacedCharacter {
  readonly character: string;
  readonly x: number;
}

/** Share of the strongest contrast from which on a pixel belongs to a letter: blurred edges have less. */
const inkShare = 0.4;
/** Words are further apart than this share of the letters' height; even ones next to each other are closer. */
const gapShare = 0.33;
/** Columns at both ends that show the background. */
const marginColumns = 4;
/** Spaced lettering has equal gaps, which are no spaces. */
const leastRatio = 1.5;

/**
 * Text with the spaces that the recognizer left out. PP-OCR often writes capitals and digits without them. Between those, a space is added
 * where the image has a gap as wide as one; a background that is not plain has no gaps. Between small letters the recognizer sees the
 * spaces itself, and the gap below the bar of a T would count as one.
 */
export function addWordSpaces(characters: readonly PlacedCharacter[], image: LineImage): string {
  const joins = characters.slice(1).map((after, index) => isJoint(characters[index]?.character, after.character));
  if (!joins.includes(true)) return characters.map(({ character }) => character).join('');
  const { gaps, letterHeight } = findGaps(image);
  const widths = gaps.map(({ width }) => width).sort((a, b) => a - b);
  const least = Math.max(gapShare * letterHeight, leastRatio * (widths[Math.floor(widths.length / 4)] ?? 0));
  const wide = gaps.filter(({ width }) => width >= least);
  return characters
    .map(({ character, x }, index) => {
      const before = characters[index - 1];
      const isSpaced = before && joins[index - 1] && wide.some(({ middle }) => middle > before.x && middle < x);
      return isSpaced ? ` ${character}` : character;
    })
    .join('');
}

/** Two capitals or digits, or a digit beside a letter, in a script that has spaces. */
function isJoint(before = '', after = ''): boolean {
  const pair = [before, after];
  const isBeside = pair.some((one) => /\p{Nd}/u.test(one)) && pair.every((one) => /[\p{Lu}\p{Ll}\p{Nd}]/u.test(one));
  return isBeside || pair.every((one) => /[\p{Lu}\p{Nd}]/u.test(one));
}

/** Runs of columns without ink between the first and the last letter, and the height of the letters. */
function findGaps({ planes, width, height }: LineImage) {
  const size = width * height;
  const grey = new Float32Array(size);
  for (let at = 0; at < planes.length; at++) grey[at % size] = (grey[at % size] ?? 0) + (planes[at] ?? 0);
  const middle = { from: Math.floor(height / 4), to: Math.ceil((height * 3) / 4) };
  const band = grey.subarray(middle.from * width, middle.to * width);
  // Boxes of text have a margin.
  const background = percentile(
    band.filter((_, at) => at % width < marginColumns || at % width >= width - marginColumns),
    0.5,
  );
  const least =
    inkShare *
    percentile(
      band.map((value) => Math.abs(value - background)),
      0.97,
    );
  const isInk = (x: number, y: number) => Math.abs((grey[y * width + x] ?? 0) - background) > least;
  const isLetterRow = (y: number) => {
    let count = 0;
    for (let x = 0; x < width; x++) if (isInk(x, y)) count += 1;
    return count * 20 > width;
  };
  let { from, to } = middle;
  while (from > 0 && isLetterRow(from - 1)) from -= 1;
  while (to < height && isLetterRow(to)) to += 1;
  while (from < to && !isLetterRow(from)) from += 1;
  while (to > from && !isLetterRow(to - 1)) to -= 1;
  const gaps: { middle: number; width: number }[] = [];
  let last = -1;
  for (let x = 0; x < width; x++) {
    let hasInk = false;
    for (let y = from; y < to && !hasInk; y++) hasInk = isInk(x, y);
    if (!hasInk) continue;
    if (last >= 0 && x - last > 1) gaps.push({ middle: (x + last) / 2, width: x - last - 1 });
    last = x;
  }
  return { gaps, letterHeight: to - from };
}

function percentile(values: Float32Array, share: number): number {
  return values.toSorted()[Math.floor(share * (values.length - 1))] ?? 0;
}
