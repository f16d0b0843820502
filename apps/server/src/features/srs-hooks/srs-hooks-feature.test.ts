import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import type { EventName } from '../../core/events.ts';
import { SegmentFeed } from '../../segments/segment-feed.ts';

const client = { client_id: 'c1', server_id: 'vid-1', ip: '198.51.100.7', app: 'live', stream: 'show' };

async function open() {
  const server = await createReadyApp();
  const secret: string = (await server.call('hooks/srs/secret/query')).data.publish;
  const heard: [EventName, unknown][] = [];
  for (const name of ['stream:published', 'stream:ended'] as const) {
    server.events.on(name, (event) => void heard.push([name, event]));
  }
  const names = () => heard.map(([name]) => name);
  const told = vi.spyOn(SegmentFeed.prototype, 'tell');
  onTestFinished(() => told.mockRestore());
  return { ...server, secret, heard, names, told };
}

describe('a hook of the engine', () => {
  it('is accepted only with its token, even if all else is right', async () => {
    const { post, secret, names } = await open();
    const body = { ...client, action: 'on_publish', param: `?secret=${secret}` };
    for (const headers of [{}, { 'x-weir-hook': '' }, { 'x-weir-hook': 'guess' }, { 'x-weir-hook': 'HOOK-TOKEN' }]) {
      for (const path of ['verify', 'hls']) {
        const answer = await post(`/terraform/v1/hooks/srs/${path}`, body, headers);
        expect(answer).toMatchObject({ status: 401, code: 3000 });
      }
    }
    expect(names()).toEqual([]);
  });

  it('is refused before a body without the token is read', async () => {
    const { inject } = await open();
    const answer = await inject({ method: 'POST', url: '/terraform/v1/hooks/srs/verify', payload: '{not json' });
    expect(answer.statusCode).toBe(401);
  });
});

describe('a publish hook', () => {
  it('announces an accepted publisher once, without the secret', async () => {
    const { hook, secret, heard } = await open();
    const body = { ...client, action: 'on_publish', param: `?secret=${secret}&user=ann` };
    expect(await hook('verify', body)).toMatchObject({ status: 200, code: 0, data: null });
    await hook('verify', body);
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]).toEqual([
      'stream:published',
      {
        vhost: '__defaultVhost__',
        app: 'live',
        stream: 'show',
        param: '?secret=***&user=ann',
        serverId: 'vid-1',
        clientId: 'c1',
        protocol: '',
        address: '198.51.100.7',
        publishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
  });

  it.each(['', '?secret=', '?secret=wrong', '?token={S}', '?secret={S}.', '?secret={S}%00'])(
    'is refused with %j, and announces nothing',
    async (param) => {
      const { hook, secret, names } = await open();
      const answer = await hook('verify', { ...client, action: 'on_publish', param: param.replace('{S}', secret) });
      expect(answer).toMatchObject({ status: 401, code: 3000 });
      expect(JSON.stringify(answer)).not.toContain(secret);
      expect(names()).toEqual([]);
    },
  );

  it('may be asked before the publishing begins, which begins nothing', async () => {
    const { hook, secret, names } = await open();
    const ask = (param: string) => hook('verify', { ...client, action: 'on_publish_asked', param });
    expect((await ask('app=live&secret=wrong')).code).not.toBe(0);
    expect(await ask(`app=live&secret=${secret}`)).toMatchObject({ status: 200, code: 0 });
    expect(names()).toEqual([]);
  });

  it('announces publishers while no secret is required', async () => {
    const { hook, call, names } = await open();
    await call('hooks/srs/secret/disable', { pubNoAuth: true });
    expect(await hook('verify', { ...client, action: 'on_publish' })).toMatchObject({ code: 0 });
    expect(await hook('verify', { ...client, action: 'on_unpublish' })).toMatchObject({ code: 0 });
    await vi.waitFor(() => expect(names()).toEqual(['stream:published', 'stream:ended']));
    await call('hooks/srs/secret/disable', { pubNoAuth: false });
    expect(await hook('verify', { ...client, action: 'on_publish' })).toMatchObject({ status: 401 });
  });

  it('reports the end once, however often the engine repeats it', async () => {
    const { hook, secret, names } = await open();
    await hook('verify', { ...client, action: 'on_publish', param: `?secret=${secret}` });
    await hook('verify', { ...client, action: 'on_unpublish' });
    await hook('verify', { ...client, action: 'on_unpublish' });
    await vi.waitFor(() => expect(names()).toEqual(['stream:published', 'stream:ended']));
  });

  it.each([{ app: '' }, { stream: '' }, { stream: 'x'.repeat(513) }, { client_id: '' }, { action: undefined }])(
    'refuses incomplete fields: %j',
    async (change) => {
      const { hook, secret } = await open();
      const body = { ...client, action: 'on_publish', param: `?secret=${secret}`, ...change };
      expect(await hook('verify', body)).toMatchObject({ status: 422 });
    },
  );

  it('accepts viewers that come and go, and announces nothing', async () => {
    const { hook, names } = await open();
    for (const action of ['on_play', 'on_stop', 'on_something_new']) {
      expect(await hook('verify', { ...client, action })).toMatchObject({ status: 200, code: 0 });
    }
    expect(names()).toEqual([]);
  });
});

describe('a finished segment', () => {
  const segment = {
    ...client,
    action: 'on_hls',
    duration: 2.5,
    seq_no: 7,
    url: 'live/show-7.ts',
    m3u8_url: 'live/show.m3u8',
  };

  it('is passed on with its real path', async () => {
    const { hook, dataDir, told } = await open();
    const file = join(dataDir, 'hls', 'show-7.ts');
    mkdirSync(join(dataDir, 'hls'));
    writeFileSync(file, '');
    expect(await hook('hls', { ...segment, file })).toMatchObject({ code: 0, data: null });
    expect(told).toHaveBeenCalledOnce();
    expect(told.mock.lastCall?.[0]).toMatchObject({
      file,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      durationMs: 2500,
      sequence: 7,
      clientId: 'c1',
    });
  });

  it('is refused when it is of another type, in another place, or gone', async () => {
    const { hook, dataDir, told } = await open();
    mkdirSync(join(dataDir, 'config'));
    writeFileSync(join(dataDir, 'config', 'nginx.key'), '');
    symlinkSync(join(dataDir, 'config', 'nginx.key'), join(dataDir, 'link.ts'));
    symlinkSync('/etc/passwd', join(dataDir, 'out.ts'));
    for (const file of ['/etc/passwd', 'config/nginx.key', 'link.ts', 'out.ts', 'gone.ts', '../../x.ts', '']) {
      expect(await hook('hls', { ...segment, file })).toMatchObject({ status: 422 });
    }
    expect(await hook('hls', { ...segment, action: 'on_publish', file: 'a.ts' })).toMatchObject({ status: 422 });
    expect(told).not.toHaveBeenCalled();
  });
});
