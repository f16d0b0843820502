import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow } from './source.fixture.ts';

const most = 20;

it('no folder has more files than one can take in', () => {
  const counts = new Map<string, number>();
  for (const root of ['apps', 'packages', 'tests', 'bench', 'attack', 'scripts']) {
    for (const file of filesBelow(root, ['.ts', '.tsx', '.mjs', '.json', '.py'])) {
      const folder = dirname(file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  expect([...counts].filter(([, count]) => count > most)).toEqual([]);
});
