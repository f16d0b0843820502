import { expect, it } from 'vitest';
import { unusedExports } from './exports.fixture.ts';
import { filesBelow } from './source.fixture.ts';

const endings = ['.ts', '.tsx', '.mjs'];
const sources = ['apps', 'attack', 'bench', 'packages', 'scripts', 'tests'].flatMap((folder) =>
  filesBelow(folder, endings),
);

it('every export is imported somewhere', () => {
  expect(unusedExports([...sources, 'vitest.config.ts'])).toEqual([]);
});
