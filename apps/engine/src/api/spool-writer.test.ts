import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { entryName, segmentHookBody } from '@weir/engine-api';
import { createLog } from '@weir/plane';
import { expect, it } from 'vitest';
import { SpoolWriter } from './spool-writer.ts';

const publisher = {
  serverId: '',
  serviceId: '',
  id: 'c',
  address: '',
  param: '',
  tcUrl: '',
  protocol: 'rtmp' as const,
  place: { vhost: 'v', app: 'live', name: 'show' },
};

function open(limits = { ageMs: 60_000, bytes: 3000 }) {
  const root = mkdtempSync(join(tmpdir(), 'weir-spool-'));
  const log = createLog('test', 'error');
  log.level = 'silent';
  const directory = join(root, 'segments');
  const spool = new SpoolWriter(directory, log, limits);
  const segment = (name: string, bytes = 10) => {
    const file = join(root, name);
    writeFileSync(file, Buffer.alloc(bytes));
    return file;
  };
  const media = () => readdirSync(directory).filter((name) => name.endsWith('.ts'));
  const keep = (file: string) => {
    const stream = { vhost: 'v', app: 'live', stream: 'show', clientId: 'c' };
    const one = {
      id: randomUUID(),
      format: 'mpegts' as const,
      ...stream,
      file,
      durationMs: 2000,
      sequence: 1,
      isDiscontinuity: false,
    };
    return spool.keep(one, segmentHookBody(one, publisher, { url: '', m3u8: '', m3u8Url: '' }));
  };
  return { root, directory, spool, keep, segment, media };
}

it('keeps a file whose first name is removed, without copying its bytes', async () => {
  const { keep, segment } = open();
  const file = segment('a.ts');
  const kept = await keep(file);
  expect(statSync(kept).ino).toBe(statSync(file).ino);
  rmSync(file);
  expect(statSync(kept).size).toBe(10);
});

it('returns the original file name when the file cannot be linked', async () => {
  const { root, directory, keep, segment } = open();
  writeFileSync(directory, 'a file where the directory should be');
  const file = segment('a.ts');
  expect(await keep(file)).toBe(file);
  rmSync(directory);
  expect(await keep(join(root, 'gone.ts'))).toBe(join(root, 'gone.ts'));
  expect(readdirSync(directory)).toEqual([]);
});

it('removes files that were not collected in time, and the oldest files above the size limit', async () => {
  const { spool, keep, segment, media, directory } = open();
  const entry = { keptAtMs: Date.now() - 120_000, count: 1, id: randomUUID() };
  const old = entryName(entry, 'mpegts');
  await keep(segment('a.ts', 1000));
  writeFileSync(join(directory, old), 'x');
  writeFileSync(join(directory, entryName(entry, 'facts')), '{}');
  await keep(segment('b.ts', 1000));
  const [first, second] = media().filter((name) => name !== old);
  await spool.sweep();
  expect(media()).toEqual([first, second]);
  await keep(segment('c.ts', 1000));
  await spool.sweep();
  expect(media()).not.toContain(first);
  expect(media()).toContain(second);
});

it('removes metadata that a killed process left without its file', async () => {
  const { spool, keep, segment, directory } = open();
  const kept = await keep(segment('a.ts'));
  const orphan = entryName({ keptAtMs: Date.now(), count: 2, id: randomUUID() }, 'facts');
  writeFileSync(join(directory, orphan), '{}');
  await spool.sweep();
  const names = readdirSync(directory);
  expect(names).toHaveLength(2);
  expect(names).toContain(basename(kept));
});
