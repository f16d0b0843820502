import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longest, measuring, soaks } from '../projects.ts';
import { filesBelow, read, root } from './source.fixture.ts';

const measures = (path: string) => /\bmemory(Usage|RiseMb)\b/.test(read(path));

const own = [...measuring, ...soaks];

it('what measures its process has one of its own', () => {
  const tests = ['packages', 'apps/weir', 'apps/engine', 'apps/server'].flatMap((path) =>
    filesBelow(path, ['.test.ts']),
  );
  expect(tests.filter((path) => measures(path) && !own.includes(path))).toEqual([]);
});

it('what is named to be run in another way is there', () => {
  expect([...own, ...longest].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
