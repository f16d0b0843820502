import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { originalStack } from './original-stack.ts';

const directory = mkdtempSync(join(tmpdir(), 'weir-stack-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('shows the source position of a built file', () => {
  const dist = join(directory, 'dist');
  mkdirSync(dist);
  // The second line, third column of the built file is the fifth line, first column of the source.
  const map = { version: 3, sources: ['../src/some.ts'], names: [], mappings: ';EAIA' };
  writeFileSync(join(dist, 'main.cjs.map'), JSON.stringify(map));
  const stack = `Error: no\n    at run (${dist}/main.cjs:2:3)\n    at node:events:1:2`;
  expect(originalStack(stack)).toBe(`Error: no\n    at run (${directory}/src/some.ts:5:1)\n    at node:events:1:2`);
});

it('leaves a stack unchanged where no source map applies', () => {
  const stack = `Error: no\n    at run (${directory}/dist/other.cjs:2:3)\n    at ${directory}/src/a.ts:1:1`;
  expect(originalStack(stack)).toBe(stack);
});
