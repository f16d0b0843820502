import { describe, expect, it } from 'vitest';
import { findEntries, type PaletteEntry } from './find-entries.ts';

const entry = (title: string, kind = 'Page', words = ''): PaletteEntry => ({
  id: title,
  title,
  kind,
  words,
  run: () => undefined,
});
const entries = [
  entry('Overview'),
  entry('Record'),
  entry('Virtual live'),
  entry('live/recital', 'Live stream'),
  entry('直播录制', '页面', 'record'),
  entry('Café'),
];
const found = (query: string) => findEntries(entries, query).map(({ title }) => title);

describe('findEntries', () => {
  it('shows everything in its order until something is typed', () => {
    expect(found('  ')).toEqual(entries.map(({ title }) => title));
  });

  it('puts titles that begin with the text first, then words that do, then the rest', () => {
    expect(found('re')).toEqual(
      ['Record', 'live/recital', 'live/recital', '直播录制'].filter((x, i, a) => a.indexOf(x) === i),
    );
    expect(found('live')).toEqual(['live/recital', 'Virtual live']);
  });

  it('wants every word, in any order, in the title or in what it is', () => {
    expect(found('stream rec')).toEqual(['live/recital']);
    expect(found('rec nothing')).toEqual([]);
  });

  it('finds any part of a Chinese title, and the page by its English name', () => {
    expect(found('录制')).toEqual(['直播录制']);
    expect(found('ｒecord')).toEqual(['Record', '直播录制']);
  });

  it('does not mind accents and capitals', () => {
    expect(found('CAFE')).toEqual(['Café']);
  });

  it('shows a bounded number', () => {
    const many = Array.from({ length: 500 }, (_, index) => entry(`stream ${index}`));
    expect(findEntries(many, 'stream')).toHaveLength(50);
  });
});
