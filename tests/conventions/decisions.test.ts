import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';

const decisions = filesBelow('docs/adr', ['.md']).filter((path) => /\/\d{4}-/.test(path));
const isMerged = (text: string) => text.includes('\nMerged into [decision ');

describe('a decision in docs/adr', () => {
  it.each(decisions)('%s fits on one screen and has context, decision and consequences', (path) => {
    const text = read(path);
    if (isMerged(text)) return;
    expect(text.split('\n').length).toBeLessThanOrEqual(42);
    for (const part of ['Context', 'Decision', 'Consequences'])
      expect(text).toMatch(new RegExp(`^(## |\\*\\*)${part}`, 'm'));
  });

  it('is listed once in the README, with its number', () => {
    const listed = [...read('docs/adr/README.md').matchAll(/^\| (\d+) \| \[[^\]]+\]\((\d{4})-[^)]+\)/gm)];
    expect(listed.filter(([, number, file]) => Number(number) !== Number(file))).toEqual([]);
    const numbers = listed.map(([, , file]) => file).sort();
    expect(numbers).toEqual(decisions.map((path) => basename(path).slice(0, 4)).sort());
  });
});
