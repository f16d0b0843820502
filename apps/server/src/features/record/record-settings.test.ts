import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { copyDirectory } from './finish/copy-directory.ts';
import { api, RecordingServer, within } from './record-feature.fixture.ts';

const server = new RecordingServer();

describe('the recording settings', () => {
  it('are answered to GET and POST, with rules and free space', async () => {
    const { data } = await server.call('query');
    expect(data).toMatchObject({ all: true, globs: [], processCpDir: '', home: server.path('record') });
    expect(data.storage).toMatchObject({ state: 'ok', limit: '' });
    expect(data.storage.freeBytes).toBeGreaterThan(0);
    const answer = await server.app.inject({
      method: 'GET',
      url: `${api}/query`,
      headers: { authorization: `Bearer ${server.bearer}` },
    });
    expect(answer.json()).toMatchObject({ code: 0, data: { all: true } });
  });

  it('keep valid globs, and name what is wrong with others', async () => {
    expect(await server.call('globs', { globs: [' /live/* ', ''] })).toMatchObject({ code: 0 });
    expect((await server.call('query')).data.globs).toEqual(['/live/*']);
    expect(await server.call('globs', { globs: ['/live/[x'] })).toMatchObject({ status: 422, code: 1004 });
    expect(await server.call('globs', { globs: ['x'.repeat(65_537)] })).toMatchObject({ status: 422, code: 1004 });
    expect((await server.call('query')).data.globs).toEqual(['/live/*']);
    expect(await server.call('globs', { globs: [] })).toMatchObject({ code: 0 });
  });

  it('record one stream by its name, and end its recording when the name is removed', async () => {
    const one = (stream: string, record: boolean) => server.call('stream', { app: 'live', stream, record });
    await server.call('apply', { all: false });
    expect(await one('one', true)).toMatchObject({ code: 0 });
    expect((await server.call('query')).data).toMatchObject({ all: true, globs: ['/live/one'] });
    await server.announce('two', 0);
    await server.record('one');
    expect(await server.list('two')).toEqual([]);
    expect(await one('one', false)).toMatchObject({ code: 0 });
    expect((await server.call('query')).data).toMatchObject({ all: false, globs: [] });
    await vi.waitFor(async () => expect(await server.list('one')).toMatchObject([{ progress: false }]), within);
    await server.call('globs', { globs: ['/live/*'] });
    await server.call('apply', { all: true });
    expect(await one('one', false)).toMatchObject({ status: 422, code: 1004 });
    expect((await server.call('query')).data.globs).toEqual(['/live/*']);
    await server.call('globs', { globs: [] });
  });

  it('lose no name when two consoles switch streams at once', async () => {
    await server.call('globs', { globs: ['/none/*'] });
    const names = Array.from({ length: 10 }, (_, index) => `at-once-${index}`);
    await Promise.all(names.map((stream) => server.call('stream', { app: 'live', stream, record: true })));
    const { globs } = (await server.call('query')).data;
    expect(globs.toSorted()).toEqual(['/none/*', ...names.map((name) => `/live/${name}`)].toSorted());
    await server.call('globs', { globs: [] });
  });

  it('S13: accept a directory for copies below the data directory only, also through links', async () => {
    mkdirSync(server.path('mine'));
    symlinkSync('/etc', server.path('out'));
    symlinkSync(server.path('config'), server.path('inner'));
    mkdirSync(server.path('config'), { recursive: true });
    writeFileSync(server.path('file'), '');
    const set = (postCpDir: string) => server.call('post-processing', { postProcess: 'post-cp-file', postCpDir });
    for (const path of [
      '/etc',
      '/data/../etc',
      '/data/mine/../../..',
      '/data-other',
      '/database',
      'mine',
      '../x',
      '/',
      '/data',
      '/data/',
      '/data/out',
      '/data/inner',
      '/data/config',
      '/data/record',
      '/data/file',
      '/data/none',
      `${server.app.dataDir}-other`,
      '/data/mine\0/etc',
    ])
      expect([path, (await set(path)).code]).toEqual([path, 1004]);
    expect((await server.call('query')).data.processCpDir).toBe('');
    for (const path of ['/data/mine', './containers/data/mine', server.path('mine'), '/data/srs-s3-bucket', ''])
      expect([path, (await set(path)).code]).toEqual([path, 0]);
    expect(await server.call('post-processing', { postProcess: 'rm -rf', postCpDir: '' })).toMatchObject({
      code: 1004,
    });
    expect(await copyDirectory(server.app.dataDir, './containers/data/mine')).toBe(server.path('mine'));
  });
});
