import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { copyDirectory } from './finish/copy-directory.ts';
import { api, RecordingServer } from './record-feature.fixture.ts';

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
