import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findChangedFile } from './verify.ts';

it('finds a changed file of unchanged length', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'weir-models-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const content = Buffer.alloc(300_000, 7);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const files = ['a.onnx', 'b.node', 'absent'].map((path) => ({ path, bytes: content.length, sha256 }));
  for (const { path } of files.slice(0, 2)) writeFileSync(join(directory, path), content);
  expect(await findChangedFile(directory, files)).toBeUndefined();
  content[200_000] = 8;
  writeFileSync(join(directory, 'b.node'), content);
  expect(await findChangedFile(directory, files)).toBe('b.node');
});
