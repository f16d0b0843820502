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

/** Lines of about the same length, none longer than a line may be, broken between words where there are any. */
export function wrapLines(text: string): string[] {
  const words = splitWords(text);
  const most = chooseLineWidth(words);
  const columns = words.reduce((sum, word) => sum + countColumns(word), 0);
  // A cue with one word in its second line reads badly: lines are filled evenly.
  const count = Math.max(1, Math.ceil(columns / most));
  const even = count > 1 ? Math.min(most, Math.ceil(columns / count) + 6) : most;
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && countColumns(line + word.trimEnd()) > even) {
      lines.push(line.trim());
      line = '';
    }
    line += word;
  }
  if (line.trim() !== '') lines.push(line.trim());
  return lines;
}

/** Line width for these words. */
export function chooseLineWidth(words: readonly string[]): number {
  return words.some(isWide) ? wideLineColumns : lineColumns;
}

/** With the space behind each; wide letters each by itself; what is longer than a line in pieces. */
export function splitWords(text: string): string[] {
  const found = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}][\p{P}]*\s*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,40}\s*/gu,
  );
  return found ?? [];
}

export function countColumns(text: string): number {
  let columns = 0;
  for (const letter of text) columns += isWide(letter) ? 2 : 1;
  return columns;
}

export function isWide(text: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
    text,
  );
}
