import { mkdir, mkdtemp, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PathResolver } from './path-resolver.ts';

let base: string;
let paths: PathResolver;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'weir-paths-'));
  for (const folder of ['data/films', 'data/upload', 'data-other', 'outside'])
    await mkdir(join(base, folder), { recursive: true });
  for (const file of [
    'data/a.mp4',
    'data/films/b.mp4',
    'data/upload/u.mp4',
    'data/-f.mp4',
    'data-other/c.mp4',
    'outside/secret.mp4',
  ]) {
    await writeFile(join(base, file), file);
  }
  await symlink(join(base, 'outside/secret.mp4'), join(base, 'data/link.mp4'));
  await symlink(join(base, 'outside'), join(base, 'data/door'));
  await symlink(join(base, 'data/films'), join(base, 'data/inside'));
  await symlink(join(base, 'outside/new.mp4'), join(base, 'data/dangling.mp4'));
  paths = new PathResolver([
    { written: ['/data'], directory: join(base, 'data') },
    { written: ['upload', './upload'], directory: join(base, 'data/upload') },
  ]);
});
afterAll(() => rm(base, { recursive: true }));

/** S12 and S13: the same list for reading, writing and deleting. */
const escapes = [
  '',
  'a.mp4',
  '/data',
  '/data/',
  '/data/.',
  '/data/..',
  '/data/../outside/secret.mp4',
  '/data/films/../../outside/secret.mp4',
  '/data//../outside/secret.mp4',
  '/data-other/c.mp4',
  '/database/c.mp4',
  '/etc/passwd',
  'upload/../../outside/secret.mp4',
  './upload/../../outside/secret.mp4',
  'uploadx/u.mp4',
  '../upload/u.mp4',
  'data/a.mp4',
  '~/a.mp4',
  'file:///data/a.mp4',
  '/data/%2e%2e/outside/secret.mp4',
  '/data/%2e%2e%2foutside%2fsecret.mp4',
  '/data/..%2foutside/secret.mp4',
  '/data/..%5coutside%5csecret.mp4',
  '/data/..\\outside\\secret.mp4',
  '/data/a.mp4\0.txt',
  '/data/a.mp4%00.txt',
  '/data/a.mp4\nfile /etc/passwd',
  '/data/door/secret.mp4',
  '-i',
  'CON',
  `/data/${'a/'.repeat(3000)}`,
];

describe('an entered path', () => {
  it.each([
    ['/data/a.mp4', 'data/a.mp4'],
    ['/data/films/b.mp4', 'data/films/b.mp4'],
    ['/data/films/../a.mp4', 'data/a.mp4'],
    ['/data/inside/b.mp4', 'data/films/b.mp4'],
    ['/data/-f.mp4', 'data/-f.mp4'],
    ['upload/u.mp4', 'data/upload/u.mp4'],
    ['./upload/u.mp4', 'data/upload/u.mp4'],
  ])('resolves to the file itself: %s', async (typed, file) => {
    expect(await paths.existing(typed)).toBe(join(base, file));
  });

  it.each([...escapes, '/data/link.mp4', '/data/dangling.mp4', '/data/nothing.mp4'])(
    'is not read: %j',
    async (typed) => {
      await expect(paths.existing(typed)).rejects.toThrow(/^file: /);
    },
  );

  it.each([
    ...escapes,
    '/data/link.mp4',
    '/data/dangling.mp4',
    '/data/door/new.mp4',
    '/data/films',
    '/data/none/new.mp4',
  ])('is not written: %j', async (typed) => {
    await expect(paths.writable(typed)).rejects.toThrow(/^file: /);
  });

  it.each([
    ['/data/new.mp4', 'data/new.mp4'],
    ['/data/a.mp4', 'data/a.mp4'],
    ['/data/inside/new.mp4', 'data/films/new.mp4'],
    ['upload/new.mp4', 'data/upload/new.mp4'],
  ])('may be written: %s', async (typed, file) => {
    expect(await paths.writable(typed)).toBe(join(base, file));
  });

  it.each([...escapes, '/data/door/secret.mp4', '/data/nothing.mp4'])('is not removed: %j', async (typed) => {
    await expect(paths.removable(typed)).rejects.toThrow(/^file: /);
  });

  it('that is a link is removed as a link, and its target stays', async () => {
    const path = await paths.removable('/data/link.mp4');
    expect(path).toBe(join(base, 'data/link.mp4'));
    await unlink(path);
    expect(await readFile(join(base, 'outside/secret.mp4'), 'utf8')).toBe('outside/secret.mp4');
  });

  it('is refused without being repeated in the error', async () => {
    await expect(paths.existing('/secret/place')).rejects.toThrow('file: must be below /data, upload, ./upload');
  });
});
