import { columnsOf, lineColumnsOf, mostLines } from '../cue-lines.ts';

/** A sentence that is shorter stays with the next one. */
const leastColumns = 24;
const sentenceEnd = /[.?!…。？！]["'”’」』]?\s*$/u;

/** Words of one page, as lines. */
export interface Page {
  /** Its first word. */
  readonly from: number;
  readonly text: string;
}

/**
 * Words as pages of two lines, filled word by word: what stands there stays where it stands, whatever follows. `begins`: words at which
 * pages begin that are on a screen already.
 */
export function pagesOf(words: readonly string[], begins: readonly number[] = []): Page[] {
  const most = lineColumnsOf(words);
  const pages: { from: number; lines: string[] }[] = [];
  for (const [at, word] of words.entries()) {
    const page = pages.at(-1);
    const line = page?.lines.at(-1) ?? '';
    const isFull = columnsOf((line + word).trimEnd()) > most;
    const isGiven = at <= (begins.at(-1) ?? -1);
    const isOver = isGiven ? begins.includes(at) : page && isPageOver(page.lines, isFull);
    if (!page || isOver) pages.push({ from: at, lines: [word] });
    else if (isFull) page.lines.push(word);
    else page.lines[page.lines.length - 1] = line + word;
  }
  return pages.map(({ from, lines }) => ({ from, text: lines.map((line) => line.trim()).join('\n') }));
}

function isPageOver(lines: readonly string[], isFull: boolean): boolean {
  const text = lines.join('');
  return (isFull && lines.length >= mostLines) || (columnsOf(text) >= leastColumns && sentenceEnd.test(text));
}
