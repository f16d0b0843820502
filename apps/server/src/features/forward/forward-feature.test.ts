import { describe, expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer, published } from '../../media-server/fake-media-server.fixture.ts';

const secret = 'ffmpeg/forward/secret';
const streams = 'ffmpeg/forward/streams';
const wx = { action: 'update', platform: 'wx', server: 'rtmp://127.0.0.1:8/live', secret: 'the-stream-key' };

async function open(env: Record<string, string> = {}) {
  return createReadyApp({ mediaServer: new FakeMediaServer(), env });
}

describe('forwarding', () => {
  it('has no destination at first, stores what is saved by platform, and deletes on request', async () => {
    const { call, inject } = await open();
    expect((await call(secret)).data).toEqual({});
    expect((await call(streams)).data).toEqual([]);
    expect(
      await call(secret, { ...wx, custom: true, label: 'mine', stream: 'live/show', quality: '720p' }),
    ).toMatchObject({
      data: null,
    });
    const saved = {
      platform: 'wx',
      server: 'rtmp://127.0.0.1:8/live',
      secret: 'the-stream-key',
      enabled: false,
      custom: true,
      label: 'mine',
      stream: 'live/show',
      quality: '720p',
    };
    expect((await call(secret)).data).toEqual({ wx: saved });
    // A query's answer can be sent back; a client without the fields of the stream does not clear them.
    const { stream: _stream, quality: _quality, ...older } = saved;
    await call(secret, { ...older, action: 'update', label: 'yours', index: '1', allowCustom: true });
    expect((await call(secret)).data).toEqual({ wx: { ...saved, label: 'yours' } });
    expect((await call(secret, { action: 'remove', platform: 'wx' })).data).toBeNull();
    expect((await call(secret)).data).toEqual({});
    expect((await inject({ method: 'GET', url: `/terraform/v1/${secret}` })).statusCode).toBe(401);
  });

  it.each([
    [{ action: 'create', platform: 'wx' }, 'invalid action=create'],
    [{ action: 'update' }, 'no platform'],
    [{ action: 'update', platform: 'youtube' }, 'invalid platform=youtube'],
    [{ action: 'update', platform: 'wx' }, 'no server'],
    [{ ...wx, server: '/etc/passwd' }, 'should start with rtmp'],
    [{ action: 'remove', platform: 'wx' }, 'there is no such destination'],
  ])('refuses %j: %s', async (body, message) => {
    const { call } = await open();
    const answer = await call(secret, body);
    expect([answer.status >= 400, answer.data.message]).toEqual([true, expect.stringContaining(message)]);
  });

  it('has as many custom slots as the limit leaves', async () => {
    const { call } = await open({ SRS_FORWARD_LIMIT: '4' });
    expect((await call(secret, { ...wx, platform: 'forwarding-4-a1b2c3' })).code).toBe(0);
    expect((await call(secret, { ...wx, platform: 'forwarding-5-a1b2c3' })).status).toBe(422);
    expect((await call(secret, wx)).code).toBe(0);
  });

  it('is off, waits for a stream, and connects as soon as one starts; the rows are in order and hold no secret', async () => {
    const { call, events } = await open({ WEIR_RTMP_LISTEN: '9' });
    const states = async () =>
      (await call(streams)).data.map(
        ({ platform, process, stream }: { platform: string; process: { state: string }; stream?: string }) =>
          [platform, process.state, stream].join(' '),
      );
    await call(secret, { ...wx, enabled: true });
    await call(secret, { ...wx, platform: 'bilibili' });
    expect(await states()).toEqual(['bilibili off ', 'wx waiting ']);
    events.emit('stream:published', published('show'));
    await vi.waitFor(async () => expect((await states())[1]).toMatch(/^wx (starting|failing) live\/show$/));
    expect(JSON.stringify((await call(streams)).data)).not.toContain('the-stream-key');
    events.emit('stream:ended', published('show'));
    await vi.waitFor(async () => expect((await states())[1]).toBe('wx waiting '));
    await call(secret, wx);
    await vi.waitFor(async () => expect((await states())[1]).toBe('wx off '));
  });
});
