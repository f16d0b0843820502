import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { linkFile } from './link-file.ts';

function directory(parent = tmpdir()): string {
  const made = mkdtempSync(join(parent, 'weir-link-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it('gives a file a second name, and does not replace an existing one', async () => {
  const home = directory();
  const [from, to, other] = [join(home, 'from'), join(home, 'to'), join(home, 'other')];
  writeFileSync(from, 'one');
  writeFileSync(other, 'two');
  await linkFile(from, to);
  expect(statSync(to).ino).toBe(statSync(from).ino);
  await linkFile(other, to);
  expect(readFileSync(to, 'utf8')).toBe('one');
});

it('copies to another disk, and leaves no partial file', async () => {
  const [home, elsewhere] = [directory(), directory('/dev/shm')];
  writeFileSync(join(home, 'from'), 'one');
  await linkFile(join(home, 'from'), join(elsewhere, 'to'));
  expect(readFileSync(join(elsewhere, 'to'), 'utf8')).toBe('one');
  expect(readdirSync(elsewhere)).toEqual(['to']);
  await expect(linkFile(join(home, 'none'), join(elsewhere, 'x'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(readdirSync(elsewhere)).toEqual(['to']);
});
