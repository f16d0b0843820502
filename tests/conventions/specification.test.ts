import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source.fixture.ts';

const rows = readFileSync(join(root, 'docs/specification.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [ABC]\d/.test(line))
  .map((line) => ({ row: line.slice(2, line.indexOf(' |', 2)), test: line.slice(line.lastIndexOf(' | ') + 3, -2) }));

describe('docs/specification.md', () => {
  it('has one row for each point of the specification', () => {
    const names = rows.map(({ row }) => row);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(70);
  });

  it('names tests that exist', () => {
    const missing = rows.filter(({ test }) => {
      const [, file = '', title = ''] = /`([^`]+)`: (.+)$/.exec(test) ?? [];
      return !existsSync(join(root, file)) || !readFileSync(join(root, file), 'utf8').includes(title);
    });
    expect(missing).toEqual([]);
  });
});
