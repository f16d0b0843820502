import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';

const mostFiles = 20;
const mostLines = 300;
const files = ['apps', 'packages', 'tests', 'bench', 'attack', 'scripts'].flatMap((root) =>
  filesBelow(root, ['.ts', '.tsx', '.mjs', '.json', '.py', '.css']),
);

it('no folder has more files than one can take in', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > mostFiles)).toEqual([]);
});

it('no file is longer than one can hold in mind', () => {
  const lines = files
    .filter((file) => !file.endsWith('.json'))
    .map((file) => [file, read(file).split('\n').length - 1]);
  expect(lines.filter(([, count]) => Number(count) > mostLines)).toEqual([]);
});
