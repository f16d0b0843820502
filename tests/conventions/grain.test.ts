import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';

const mostFiles = 30;
const mostLines = 400;
/** Files and folders above these limits, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'bench/results': 'one file for each benchmark',
};

const files = ['apps', 'packages', 'tests', 'bench', 'attack', 'scripts'].flatMap((root) =>
  filesBelow(root, ['.ts', '.tsx', '.mjs', '.json', '.py', '.css']),
);

it('a folder of more than 30 files is listed with its reason', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([folder, count]) => count > mostFiles && !(folder in exceptions))).toEqual([]);
});

it('a file of more than 400 lines is listed with its reason', () => {
  const lengths = files
    .filter((file) => !file.endsWith('.json') && !(file in exceptions))
    .map((file) => [file, read(file).split('\n').length - 1]);
  expect(lengths.filter(([, length]) => Number(length) > mostLines)).toEqual([]);
});
