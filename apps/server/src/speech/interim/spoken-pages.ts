import type { Cue } from '../cue.ts';
import { columnsOf, wordsOf } from '../cue-lines.ts';
import { Agreement, alignedLength } from './agreement.ts';
import { pagesOf } from './caption-pages.ts';

/** The time that a text was spoken in. */
interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** A page is never shorter, so that no two begin at once. */
const leastPageMs = 300;

/** The words of one open utterance as they stand on screens: pages that grow, each known by when it begins. */
export class SpokenPages {
  readonly #agreement = new Agreement();
  readonly #startsMs: number[] = [];
  #begins: number[] = [];

  /** Pages that are on screens. */
  get startsMs(): readonly number[] {
    return this.#startsMs;
  }

  /** What all of the sound so far says. Returns all pages as they are now. */
  push(text: string, span: Span): Cue[] {
    this.#agreement.push(text);
    const { words } = this.#agreement;
    const pages = pagesOf(words);
    this.#begins = pages.map(({ from }) => from);
    return this.#cues(pages, wordsOf(text), words.length, span);
  }

  /** What was said when it is over, on the same pages: words may have changed, and pages at the end may have none left. */
  finish(text: string, span: Span): Cue[] {
    const words = wordsOf(text);
    const said = this.#agreement.words;
    const begins = this.#begins.map((from) => alignedLength(said.slice(0, from), words));
    const isLater = (from: number, at: number) => at === 0 || from > (begins[at - 1] ?? 0);
    const kept = begins.filter((from, at) => from < words.length && isLater(from, at));
    return this.#cues(pagesOf(words, kept), words, words.length, span);
  }

  /** `heard`: the words that the time of `span` is shared out to; the pages hold their first `count`. */
  #cues(pages: readonly { from: number; text: string }[], heard: readonly string[], count: number, span: Span): Cue[] {
    const { startMs, endMs } = span;
    const widths = heard.map((word) => columnsOf(word));
    const sum = (to: number) => widths.slice(0, to).reduce((all, width) => all + width, 0);
    const timeOf = (word: number) => Math.round(startMs + ((endMs - startMs) * sum(word)) / Math.max(1, sum(Infinity)));
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
