import { describe, expect, it } from 'vitest';
import type { PaletteEntry } from '../../lib/feature.ts';
import { findEntries } from './find-entries.ts';

const entry = (title: string, kind = 'Page', words = ''): PaletteEntry => ({
  id: title,
  title,
  group: 'page',
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
  it('returns all entries in order for an empty query', () => {
    expect(found('  ')).toEqual(entries.map(({ title }) => title));
  });

  it('ranks titles that start with the query first, then words that do', () => {
    expect(found('re')).toEqual(
      ['Record', 'live/recital', 'live/recital', '直播录制'].filter((x, i, a) => a.indexOf(x) === i),
    );
    expect(found('live')).toEqual(['live/recital', 'Virtual live']);
  });

  it('requires every word of the query in title or kind, in any order', () => {
    expect(found('stream rec')).toEqual(['live/recital']);
    expect(found('rec nothing')).toEqual([]);
  });

  it('matches parts of Chinese titles and English names', () => {
    expect(found('录制')).toEqual(['直播录制']);
    expect(found('ｒecord')).toEqual(['Record', '直播录制']);
  });

  it('ignores accents and capitals', () => {
    expect(found('CAFE')).toEqual(['Café']);
  });

  it('limits the number of results', () => {
    const many = Array.from({ length: 500 }, (_, index) => entry(`stream ${index}`));
    expect(findEntries(many, 'stream')).toHaveLength(50);
  });
});
