import { expect, it } from 'vitest';
import { filesBelow, read } from './source.fixture.ts';

it('every program that reads media of others has a limit of picture size', () => {
  const sources = [...filesBelow('apps/server/src', ['.ts']), ...filesBelow('packages/process/src', ['.ts'])];
  const product = sources.filter((path) => !/\.(test|fixture)\.ts$/.test(path));
  const readers = product.filter((path) => read(path).includes('-protocol_whitelist'));
  expect(readers.length).toBeGreaterThan(5);
  expect(readers.filter((path) => !/\bpictureLimit\b/.test(read(path)))).toEqual([]);
});
