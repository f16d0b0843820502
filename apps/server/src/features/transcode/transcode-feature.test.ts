import { transcodeDefaults } from '@weir/contract';
import { describe, expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer, published } from '../../media-server/fake-media-server.fixture.ts';

const api = 'ffmpeg/transcode';
const config = { ...transcodeDefaults, all: true, server: 'rtmp://127.0.0.1:9/live', secret: 'show-trans?secret=hush' };
const zero = {
  all: false,
  vcodec: '',
  vprofile: '',
  vpreset: '',
  vbitrate: 0,
  acodec: '',
  abitrate: 0,
  achannels: 0,
  server: '',
  secret: '',
  stream: '',
};

const open = (env: Record<string, string> = {}) => createReadyApp({ mediaServer: new FakeMediaServer(), env });

describe('transcoding', () => {
  it('is off and empty until it is saved, keeps what is saved, and can be reset', async () => {
    const { call, inject } = await open();
    expect((await call(`${api}/query`)).data).toEqual(zero);
    expect((await call(`${api}/apply`, { ...config, stream: 'live/show' })).data).toBeNull();
    expect((await call(`${api}/query`)).data).toEqual({ ...config, stream: 'live/show' });
    // A client that knows no choice of streams does not clear it.
    await call(`${api}/apply`, { ...config, vbitrate: 800 });
    expect((await call(`${api}/query`)).data).toEqual({ ...config, vbitrate: 800, stream: 'live/show' });
    expect((await call(`${api}/apply`, zero)).data).toBeNull();
    expect((await call(`${api}/query`)).data).toEqual(zero);
    for (const path of ['query', 'apply', 'task']) {
      expect((await inject({ method: 'GET', url: `/terraform/v1/${api}/${path}` })).statusCode).toBe(401);
    }
  });

  it.each([
    [{ vbitrate: 99 }, 'Invalid vbitrate 99, should be in [100, 100000] Kbps'],
    [{ vbitrate: 100_001 }, 'Invalid vbitrate 100001, should be in [100, 100000] Kbps'],
    [{ abitrate: 9 }, 'Invalid abitrate 9, should be in [10, 1000] Kbps'],
    [{ vcodec: 'libx265' }, 'Invalid vcodec libx265, should be libx264'],
    [{ vprofile: '' }, 'Invalid vprofile, should be baseline, main, high'],
    [{ vpreset: '-f flv' }, 'Invalid vpreset, should be ultrafast, superfast, veryfast, faster, fast, medium, slow'],
    [{ acodec: 'mp3' }, 'Invalid acodec mp3, should be aac'],
    [{ achannels: 3 }, 'Invalid achannels 3, should be 0, 1, 2'],
    [{ server: '', secret: '' }, 'Invalid server and key, at least one of them is required'],
    [{ server: '/etc/passwd' }, 'Invalid server, should start with rtmp://, rtmps:// or srt://'],
    [{ server: '-y' }, 'Invalid server, should start with rtmp://, rtmps:// or srt://'],
    [{ server: 'rtmp://169.254.169.254/live' }, 'invalid server, link-local and reserved'],
  ])('does not start with %j, but may be saved with it while it is off', async (facts, message) => {
    const { call } = await open();
    const answer = await call(`${api}/apply`, { ...config, ...facts });
    expect([answer.status, answer.data.message]).toEqual([422, expect.stringContaining(message)]);
    expect((await call(`${api}/query`)).data).toEqual(zero);
    expect((await call(`${api}/apply`, { ...config, ...facts, all: false })).code).toBe(0);
  });

  it('reports off, waiting, and then its result, without secrets', async () => {
    const { call, events } = await open({ WEIR_RTMP_LISTEN: '9' });
    const task = async () => (await call(`${api}/task`)).data;
    expect(await task()).toMatchObject({ enabled: false, input: '', output: '', process: { state: 'off' } });
    await call(`${api}/apply`, config);
    expect(await task()).toMatchObject({ enabled: true, input: '', output: '', process: { state: 'waiting' } });
    expect(await task()).not.toHaveProperty('frame');
    events.emit('stream:published', published('show'));
    await vi.waitFor(async () => expect((await task()).process.failure?.cause).toBe('connection-refused'));
    const seen = await task();
    expect(seen).toMatchObject({
      input: 'live/show',
      output: 'rtmp://127.0.0.1:9/live/show-trans?secret=***',
      outputStream: 'live/show-trans',
      process: { state: 'failing', failures: 1 },
    });
    const { lines } = (await call('ffmpeg/log', { key: 'transcode/main' })).data;
    expect(lines.join('\n')).toContain('Connection refused');
    expect(JSON.stringify([seen, lines])).not.toContain('hush');
    expect((await call('ffmpeg/log', { key: 'transcode/none' })).data).toEqual({ lines: [] });
    await call(`${api}/apply`, { ...config, all: false });
    await vi.waitFor(async () => expect((await task()).process).toMatchObject({ state: 'off', failure: null }));
  });

  it('hides the key of another server', async () => {
    const { call, events } = await open();
    const target = { server: 'rtmps://a.test/app', secret: 'very-secret-key' };
    await call(`${api}/apply`, { ...config, ...target });
    events.emit('stream:published', published('show'));
    await vi.waitFor(async () => {
      expect((await call(`${api}/task`)).data).toMatchObject({ output: 'rtmps://a.test/app/***', outputStream: '' });
    });
  });
});
