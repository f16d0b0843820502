import type { Cue } from '../cue.ts';
import { chooseLineWidth, countColumns, lineWidth, mostLines, splitWords } from '../cue-lines.ts';
import { alignedLength, LocalAgreement } from './local-agreement.ts';

/** A sentence that is shorter stays with the next one. */
const leastColumns = 24;
const sentenceEnd = /[.?!…。？！]["'”’」』]?\s*$/u;

/** Words of one page, as lines. */
interface Page {
  /** Index of the first word. */
  readonly from: number;
  readonly text: string;
}

/** Lays out words on pages of two lines. Shown words never move. `begins`: words at which pages begin that are shown already. */
export function splitPages(words: readonly string[], begins: readonly number[] = []): Page[] {
  const most = chooseLineWidth(words);
  const pages: { from: number; lines: string[] }[] = [];
  for (const [at, word] of words.entries()) {
    const page = pages.at(-1);
    const line = page?.lines.at(-1) ?? '';
    const isFull = lineWidth(line + word) > most;
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
  return (isFull && lines.length >= mostLines) || (countColumns(text) >= leastColumns && sentenceEnd.test(text));
}

/** The time that a text was spoken in. */
interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** A page is never shorter, so that no two begin at once. */
const leastPageMs = 300;
/** Words this long before the end of the audio no longer improve. */
const oldMs = 1500;

/** The words of one open utterance as they stand on screens: pages that grow, each known by when it begins. */
export class SpokenPages {
  readonly #agreement = new LocalAgreement();
  readonly #startsMs: number[] = [];
  #begins: number[] = [];

  /** Pages that are on screens. */
  get startsMs(): readonly number[] {
    return this.#startsMs;
  }

  /** Adds the text of all audio so far. Returns all pages. */
  push(text: string, span: Span): Cue[] {
    const heard = splitWords(text);
    const timeOf = timesOf(heard, span);
    this.#agreement.push(heard, heard.filter((_, at) => timeOf(at + 1) <= span.endMs - oldMs).length);
    const { words } = this.#agreement;
    const pages = splitPages(words);
    this.#begins = pages.map(({ from }) => from);
    return this.#cues(pages, timeOf, words.length, span);
  }

  /** Sets the final text on the same pages: words may have changed, and pages at the end may be empty. */
  finish(text: string, span: Span): Cue[] {
    const words = splitWords(text);
    const said = this.#agreement.words;
    const begins = this.#begins.map((from) => alignedLength(said.slice(0, from), words));
    const isLater = (from: number, at: number) => at === 0 || from > (begins[at - 1] ?? 0);
    const kept = begins.filter((from, at) => from < words.length && isLater(from, at));
    return this.#cues(splitPages(words, kept), timesOf(words, span), words.length, span);
  }

  /** `timeOf`: when a word begins. The pages hold the first `count`. */
  #cues(pages: readonly Page[], timeOf: (word: number) => number, count: number, { startMs }: Span): Cue[] {
    for (const [at, { from }] of pages.entries()) {
      const earliest = at === 0 ? startMs : (this.#startsMs[at - 1] ?? startMs) + leastPageMs;
      this.#startsMs[at] ??= Math.max(timeOf(from), Math.round(earliest));
    }
    return pages.map(({ text }, at) => {
      const from = this.#startsMs[at] ?? startMs;
      const to = at + 1 < pages.length ? (this.#startsMs[at + 1] ?? from) : timeOf(count);
      return { startMs: from, endMs: Math.max(to, from + leastPageMs), text };
    });
  }
}

/** When each word begins: the time is shared out by what is written. */
function timesOf(words: readonly string[], { startMs, endMs }: Span): (word: number) => number {
  let columns = 0;
  const ends = words.map((word) => (columns += countColumns(word)));
  return (word) => Math.round(startMs + ((endMs - startMs) * (ends[word - 1] ?? 0)) / Math.max(1, columns));
}
