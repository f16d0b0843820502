import { describe, expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';

const page = read('docs/benchmarks.md');

describe('docs/benchmarks.md', () => {
  it('has cells of at most 60 characters', () => {
    const cells = page.split('\n').flatMap((line) => (line.startsWith('|') ? line.split('|') : []));
    expect(cells.length).toBeGreaterThan(300);
    expect(cells.map((cell) => cell.trim()).filter((cell) => cell.length > 60)).toEqual([]);
  });
});

interface Result {
  readonly benchmark?: string;
  readonly date?: string;
  readonly commit?: string;
  readonly machine?: { readonly cores?: number };
  readonly rows?: readonly { readonly date?: string; readonly commit?: string }[];
}

describe('a benchmark result', () => {
  const files = filesBelow('bench/results', ['.json']);

  it.each(files)('%s names its benchmark, machine, date and commit', (file) => {
    const { benchmark, machine, rows = [], ...head } = JSON.parse(read(file)) as Result;
    expect(file).toBe(`bench/results/${benchmark}.json`);
    expect(machine?.cores).toBeGreaterThan(0);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row.date ?? head.date).toMatch(/^\d{4}-\d\d-\d\d/);
      expect(row.commit ?? head.commit).toMatch(/^[0-9a-f]{7,}$/);
    }
  });
});
