import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longest, measuring, soaks } from '../projects.ts';
import { filesBelow, read, root } from './source.fixture.ts';

const measures = (path: string) => /\bmemory(Usage|RiseMb)\b/.test(read(path));

const own = [...measuring, ...soaks];

it('tests that measure their process have a project of their own', () => {
  const tests = ['packages', 'apps/weir', 'apps/engine', 'apps/server'].flatMap((path) =>
    filesBelow(path, ['.test.ts']),
  );
  expect(tests.filter((path) => measures(path) && !own.includes(path))).toEqual([]);
});

it('tests that are listed for another project exist', () => {
  expect([...own, ...longest].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
