import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { alone, apart, lengthy, longest, measuring, soaks } from '../projects.ts';
import { filesBelow, read, root } from './source.fixture.ts';

const measures = (path: string) => /\bmemory(Usage|RiseMb)\b/.test(read(path));

const own = [...measuring, ...soaks];

it('tests that measure their process have a project of their own', () => {
  const tests = ['packages', 'apps/weir', 'apps/engine', 'apps/server'].flatMap((path) =>
    filesBelow(path, ['.test.ts']),
  );
  expect(tests.filter((path) => measures(path) && !own.includes(path))).toEqual([]);
});

/** Paths of a pattern with names to choose from: `a/{b,c}.test.ts`. */
function expand(pattern: string): string[] {
  const [, before = '', names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return names === '' ? [pattern] : names.split(',').map((name) => before + name + after);
}

it('tests that are listed for another project exist', () => {
  const paths = [...own, ...longest, ...lengthy, ...apart, ...alone].flatMap(expand);
  const exists = (path: string) =>
    path.includes('*') ? globSync(path, { cwd: root }).length > 0 : existsSync(join(root, path));
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});
