import type { Cue } from './cue.ts';

/** Columns of a line; letters of Chinese, Japanese and Korean take two. */
const lineColumns = 42;
const wideLineColumns = 40;
export const mostLines = 2;
const leastCueMs = 500;

/** A text of a time as cues that can be read: two short lines at most each, the time shared out by their length. */
export function splitCue({ startMs, endMs, text }: Cue): Cue[] {
  const lines = wrapLines(text);
  const pages: string[][] = [];
  for (let at = 0; at < lines.length; at += mostLines) pages.push(lines.slice(at, at + mostLines));
  const total = pages.reduce((sum, page) => sum + countColumns(page.join('')), 0);
  const spanMs = Math.max(endMs - startMs, leastCueMs);
  let before = 0;
  return pages.map((page) => {
    const from = startMs + (spanMs * before) / total;
    before += countColumns(page.join(''));
    return { startMs: Math.round(from), endMs: Math.round(startMs + (spanMs * before) / total), text: page.join('\n') };
  });
}

/** Breaks what renderers would not, because they break at spaces alone. A person's own line breaks stay. */
export function breakLongLines(text: string): string {
  const isLong = (line: string) => isWide(line) && lineWidth(line) > wideLineColumns;
  return text
    .split(/\r?\n/)
    .flatMap((line) => (isLong(line) ? wrapLines(line) : [line]))
    .join('\n');
}

/** Best lines that end with one word. */
interface Choice {
  readonly cost: number;
  /** First word of the last line. */
  readonly from: number;
}

/** As few lines as possible, of about the same length, preferably broken behind punctuation and never within a word where that can be avoided. */
export function wrapLines(text: string): string[] {
  const words = splitWords(text);
  const most = chooseLineWidth(words);
  const costs = breakCosts(words);
  const ends = [0];
  for (const word of words) ends.push((ends.at(-1) ?? 0) + countColumns(word));
  const choices: Choice[] = [{ cost: 0, from: 0 }];
  for (const [last, word] of words.entries()) {
    let best: Choice = { cost: Number.POSITIVE_INFINITY, from: last };
    for (let from = last; from >= 0; from--) {
      const columns = (ends[last] ?? 0) - (ends[from] ?? 0) + lineWidth(word);
      if (columns > most && from < last) break;
      // The square makes two lines of the same length cheaper than a long one and a short one.
      const cost = (choices[from]?.cost ?? 0) + (most - columns) ** 2 + (costs[last] ?? 0);
      if (cost < best.cost) best = { cost, from };
    }
    choices.push(best);
  }
  const lines: string[] = [];
  for (let to = words.length; to > 0; to = choices[to]?.from ?? 0) {
    lines.unshift(
      words
        .slice(choices[to]?.from ?? 0, to)
        .join('')
        .trim(),
    );
  }
  return lines.filter((line) => line !== '');
}

/** Line width for these words. */
export function chooseLineWidth(words: readonly string[]): number {
  return words.some(isWide) ? wideLineColumns : lineColumns;
}

/** Columns of a line. Spaces and two full-width signs of punctuation at its end may hang over its edge and do not count. */
export function lineWidth(line: string): number {
  return countColumns(line.trimEnd().replace(/[、。，．：；！？）〕］｝〉》」』】〗”’…—]{1,2}$/u, ''));
}

/** Letters of languages without spaces: a line may end behind each. */
const dense = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const opening = String.raw`（〔［｛〈《「『【〖(\[{“‘`;
/** Signs that no line begins with. */
const closing = String.raw`、。，．：；！？）〕］｝〉》」』】〗…—～·％‰ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ)\]},.:;!?%”’`;
const pieces = new RegExp(
  String.raw`[${dense}]|[、。，．：；！？）〕］｝〉》」』】〗]|[（〔［｛〈《「『【〖]|\s+|[^\s${dense}、。，．：；！？）〕］｝〉》」』】〗（〔［｛〈《「『【〖]{1,40}`,
  'gu',
);
const opens = new RegExp(`[${opening}]$`, 'u');
const closes = new RegExp(`^[${closing}]`, 'u');

/**
 * Pieces between which a line may end: words with the space behind each, letters of languages without spaces, both with the
 * punctuation that belongs to them. A piece that is longer than a line is cut.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  // Only the piece before is looked at: reading all of a word again for each piece would make long runs of punctuation slow.
  let before = '';
  for (const piece of text.trim().match(pieces) ?? []) {
    const last = words.at(-1);
    const isGlued =
      last !== undefined && (/^\s/u.test(piece) || opens.test(before) || (closes.test(piece) && !/\s$/u.test(before)));
    if (isGlued) words[words.length - 1] = last + piece;
    else words.push(piece);
    before = piece;
  }
  const last = words.at(-1);
  // A quotation that has just been opened: more will follow.
  if (last !== undefined && words.length > 1 && new RegExp(`^[${opening}]+$`, 'u').test(last)) {
    words.splice(-2, 2, `${words.at(-2)}${last}`);
  }
  return words.flatMap((word) => (lineWidth(word) > wideLineColumns ? cut(word) : [word]));
}

/** True if no space follows: the language has none between words. */
export function endsWithoutSpace(word: string): boolean {
  return new RegExp(`[${dense}]$`, 'u').test(word);
}

function cut(word: string): string[] {
  const parts = [''];
  for (const sign of word) {
    const part = parts.at(-1) ?? '';
    if (countColumns(part + sign) > wideLineColumns) parts.push(sign);
    else parts[parts.length - 1] = part + sign;
  }
  return parts;
}

const clauseEnd = /[、。，：；！？…—,.:;!?][”’」』）)]*\s*$/u;
/** Compared with squares of the columns that a line lacks. */
const costAtSpace = 30;
/** Beside letters of languages without spaces, a space divides less than punctuation. */
const costAtWideSpace = 350;
const costBetweenWords = 400;
const costWithinWord = 1500;
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** For each piece, how bad it is to end a line behind it. */
function breakCosts(words: readonly string[]): number[] {
  const begins = new Set<number>();
  const hasWide = words.some(isWide);
  // Finding the words of languages without spaces takes a dictionary.
  if (hasWide) for (const { index } of segmenter.segment(words.join(''))) begins.add(index);
  let end = 0;
  return words.map((word, at) => {
    end += word.length;
    if (at === words.length - 1 || clauseEnd.test(word)) return 0;
    if (/\s$/u.test(word)) return hasWide ? costAtWideSpace : costAtSpace;
    return begins.has(end) ? costBetweenWords : costWithinWord;
  });
}

export function countColumns(text: string): number {
  let columns = 0;
  for (const letter of text) columns += isWide(letter) ? 2 : 1;
  return columns;
}

function isWide(text: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
    text,
  );
}
