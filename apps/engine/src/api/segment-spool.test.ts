import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { expect, it } from 'vitest';
import { SegmentSpool } from './segment-spool.ts';

function open(limits = { ageMs: 60_000, bytes: 1000 }) {
  const root = mkdtempSync(join(tmpdir(), 'weir-spool-'));
  const log = createLog('test', 'error');
  log.level = 'silent';
  const directory = join(root, 'segments');
  const spool = new SegmentSpool(directory, log, limits);
  const segment = (name: string, bytes = 10) => {
    const file = join(root, name);
    writeFileSync(file, Buffer.alloc(bytes));
    return file;
  };
  const media = () => readdirSync(directory).filter((name) => name.endsWith('.ts'));
  return { root, directory, spool, segment, media };
}

it('keeps a file whose first name is removed, without a second copy of its bytes', async () => {
  const { spool, segment } = open();
  const file = segment('a.ts');
  const kept = await spool.keep(file, { seq_no: 1 });
  expect(statSync(kept).ino).toBe(statSync(file).ino);
  rmSync(file);
  expect(statSync(kept).size).toBe(10);
});

it('names the file itself when it cannot be kept', async () => {
  const { root, directory, spool, segment } = open();
  writeFileSync(directory, 'a file where the directory should be');
  const file = segment('a.ts');
  expect(await spool.keep(file, {})).toBe(file);
  rmSync(directory);
  expect(await spool.keep(join(root, 'gone.ts'), {})).toBe(join(root, 'gone.ts'));
  expect(readdirSync(directory)).toEqual([]);
});

it('removes what nobody took for long, and the oldest of what is too much', async () => {
  const { spool, segment, media, directory } = open();
  const old = `${Date.now() - 120_000}-00000001-00000000-0000-4000-8000-000000000000`;
  await spool.keep(segment('a.ts', 400), {});
  writeFileSync(join(directory, `${old}.ts`), 'x');
  writeFileSync(join(directory, `${old}.json`), '{}');
  await spool.keep(segment('b.ts', 400), {});
  const [first, second] = media().filter((name) => !name.startsWith(old));
  await spool.sweep();
  expect(media()).toEqual([first, second]);
  await spool.keep(segment('c.ts', 400), {});
  await spool.sweep();
  expect(media()).not.toContain(first);
  expect(media()).toContain(second);
});
