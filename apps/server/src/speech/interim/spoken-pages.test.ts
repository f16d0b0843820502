import { describe, expect, it } from 'vitest';
import type { Cue } from '../cue.ts';
import { SpokenPages, splitPages } from './spoken-pages.ts';

const sentence =
  'The number you have dialed is not in service and nobody knows when it will be so please check the number and try again later today';
const spoken = sentence.split(' ');
/** Half a second a word, from 10 s on. */
const span = (words: number) => ({ startMs: 10_000, endMs: 10_000 + 500 * words });

/** Looks at it after every third word. */
function looks(pages: SpokenPages): Cue[][] {
  const counts = spoken.map((_, at) => at + 1).filter((count) => count % 3 === 0);
  return counts.map((count) => pages.push(spoken.slice(0, count).join(' '), span(count)));
}

describe('pagesOf', () => {
  it('moves nothing on a page when words follow', () => {
    const words = spoken.map((word) => `${word} `);
    let before: string[] = [];
    for (let count = 1; count <= words.length; count++) {
      const texts = splitPages(words.slice(0, count)).map(({ text }) => text);
      for (const [at, text] of before.entries()) expect(texts[at]?.startsWith(text)).toBe(true);
      for (const text of texts) {
        const lines = text.split('\n');
        expect(lines.length).toBeLessThanOrEqual(2);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
      }
      before = texts;
    }
    expect(before.join(' ').replaceAll('\n', ' ')).toBe(sentence);
  });

  it('begins a page behind a sentence of some length', () => {
    const words = 'Yes. I know that this is so. Nobody does.'.split(' ').map((word) => `${word} `);
    expect(splitPages(words).map(({ text }) => text)).toEqual(['Yes. I know that this is so.', 'Nobody does.']);
  });

  it('keeps existing page starts', () => {
    const words = 'a b c d e'.split(' ').map((word) => `${word} `);
    expect(splitPages(words, [0, 2]).map(({ text }) => text)).toEqual(['a b', 'c d e']);
  });
});

describe('SpokenPages', () => {
  it('grows page by page, each identified by its start, about when its words were said', () => {
    const all = looks(new SpokenPages());
    expect(all[0]).toEqual([]);
    for (const [at, pages] of all.entries()) {
      for (const [n, page] of (all[at - 1] ?? []).entries()) {
        expect(pages[n]?.startMs).toBe(page.startMs);
        expect(pages[n]?.text.startsWith(page.text)).toBe(true);
      }
    }
    const [first, second] = all.at(-1) ?? [];
    expect(first?.startMs).toBe(10_000);
    const said = 10_000 + 500 * (first?.text.split(/\s/).length ?? 0);
    expect(Math.abs((second?.startMs ?? 0) - said)).toBeLessThan(600);
    expect(first?.endMs).toBe(second?.startMs);
  });

  it('ends with the same pages: nothing on them moves, and the rest follows', () => {
    const pages = new SpokenPages();
    const shown = looks(pages).at(-1) ?? [];
    const final = pages.finish(`${sentence}.`, span(spoken.length));
    expect(final.map(({ text }) => text.replaceAll('\n', ' ')).join(' ')).toBe(`${sentence}.`);
    for (const [at, page] of shown.entries()) {
      expect(final[at]?.startMs).toBe(page.startMs);
      expect(final[at]?.text.startsWith(page.text)).toBe(true);
    }
    for (const [at, cue] of final.entries())
      expect(cue.endMs).toBe(final[at + 1]?.startMs ?? span(spoken.length).endMs);
  });

  it('corrects a word in its place, on its page', () => {
    const pages = new SpokenPages();
    const shown = looks(pages).at(-1) ?? [];
    const final = pages.finish(
      sentence.replace('number you', 'numbers that you').replace('dialed is', 'dialed are'),
      span(26),
    );
    expect(final[0]?.text.replaceAll('\n', ' ')).toMatch(/^The numbers that you have dialed are not/);
    expect(final[1]?.text.split(/\s/)[0]).toBe(shown[1]?.text.split(/\s/)[0]);
    expect(final.map(({ startMs }) => startMs).slice(0, shown.length)).toEqual(shown.map(({ startMs }) => startMs));
  });

  it('has fewer pages when less was said after all', () => {
    const pages = new SpokenPages();
    expect(looks(pages).at(-1)?.length).toBeGreaterThan(1);
    expect(pages.finish('The number', span(2))).toHaveLength(1);
  });
});
