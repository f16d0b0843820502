import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createReadyApp } from '../../app.ready.fixture.ts';
import type { RefusedPublish } from '../../core/events.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';

const client = { client_id: 'c1', server_id: 'vid-1', ip: '198.51.100.7', app: 'live', stream: 'stage-b' };
const anything = z.record(z.string(), z.unknown());
const fields = { name: 'Stage B', streams: ['live/stage-*'] };

async function open(options: Parameters<typeof createReadyApp>[0] = {}) {
  const mediaServer = options?.mediaServer ?? new FakeMediaServer();
  const server = await createReadyApp({ ...options, mediaServer });
  const refused: RefusedPublish[] = [];
  server.events.on('publish:refused', (event) => void refused.push(event));
  const call = async (path: string, body: object = {}) => server.call(`hooks/srs/keys/${path}`, body);
  const create = async (change: object = {}) => (await call('create', { ...fields, ...change })).data;
  /** Publishes, and is live in the engine when it may. */
  const publish = async (secret: string, change: Partial<typeof client> & { protocol?: string } = {}) => {
    const body = { ...client, action: 'on_publish', protocol: 'rtmp', param: `?secret=${secret}`, ...change };
    const answer = await server.hook('verify', body);
    if (answer.code === 0) {
      mediaServer.live.push(liveStream({ name: body.stream, clientId: body.client_id, param: body.param }));
    }
    return answer;
  };
  const rows = async () => (await call('query')).data.keys;
  return { ...server, mediaServer, refused, keys: call, create, publish, rows };
}

describe('stream keys', () => {
  it('show their value when they are made and rotated, and nowhere else', async () => {
    const store = new MemoryStore();
    const { create, keys, rows } = await open({ store });
    const { key, secret } = await create({ protocols: ['srt'], publishers: 2 });
    expect(secret).toMatch(/^[0-9a-f]{32}$/);
    expect(key).toMatchObject({ ...fields, protocols: ['srt'], publishers: 2, enabled: true, expiresAt: '', live: [] });
    const rotated = (await keys('rotate', { uuid: key.uuid })).data;
    expect(rotated.secret).toMatch(/^[0-9a-f]{32}$/);
    expect(rotated.secret).not.toBe(secret);
    const stored = JSON.stringify([await rows(), await store.collection('stream-keys', anything).list()]);
    for (const value of [secret, rotated.secret]) expect(stored).not.toContain(value);
  });

  it.each([
    [{ name: '' }, 1000],
    [{ name: 'x'.repeat(61) }, 1004],
    [{ streams: [] }, 1004],
    [{ streams: ['stage'] }, 1004],
    [{ streams: ['live/[a'] }, 1004],
    [{ protocols: ['flv'] }, 1004],
    [{ expiresAt: 'tomorrow' }, 1004],
    [{ publishers: -1 }, 1004],
    [{ secret: 'short' }, 1004],
    [{ secret: 'with a space' }, 1004],
  ])('refuse %j', async (change, code) => {
    const { keys, rows } = await open();
    expect(await keys('create', { ...fields, ...change })).toMatchObject({ status: 422, code });
    expect(await rows()).toEqual([]);
  });

  it('have names and values of their own', async () => {
    const { create, keys, call } = await open();
    const { key } = await create({ secret: 'my-own-value' });
    const second = { streams: ['/live/other'] };
    expect(await keys('create', { ...second, name: 'stage b' })).toMatchObject({ code: 1004 });
    expect(await keys('create', { ...second, name: 'Other', secret: 'my-own-value' })).toMatchObject({ code: 1004 });
    const { publish } = (await call('hooks/srs/secret/query')).data;
    expect(await keys('create', { ...second, name: 'Other', secret: publish })).toMatchObject({ code: 1004 });
    expect(await call('hooks/srs/secret/update', { secret: 'my-own-value' })).toMatchObject({ code: 1004 });
    await keys('revoke', { uuid: key.uuid });
    expect(await keys('create', { ...second, name: 'Other', secret: 'my-own-value' })).toMatchObject({ code: 1004 });
    expect((await create({ ...second, name: 'stage b' })).key.streams).toEqual(['live/other']);
  });

  it('keep fields that a change leaves out', async () => {
    const { create, keys, rows } = await open();
    const { key } = await create({ protocols: ['srt'], expiresAt: '2099-01-01T00:00:00.000Z' });
    await keys('update', { uuid: key.uuid, name: 'Stage C' });
    expect(await rows()).toEqual([{ ...key, name: 'Stage C' }]);
    expect(await keys('update', { uuid: 'unknown', name: 'x' })).toMatchObject({ status: 404 });
  });

  it('open their streams after a restart, and name who publishes', async () => {
    const store = new MemoryStore();
    const mediaServer = new FakeMediaServer();
    const first = await open({ store, mediaServer });
    const { secret } = await first.create();
    expect(await first.publish(secret)).toMatchObject({ code: 0 });
    const second = await open({ store, mediaServer });
    const streams = async () => (await second.call('mgmt/streams/query')).data.streams;
    await vi.waitFor(async () => expect(await streams()).toMatchObject([{ stream: 'stage-b', key: 'Stage B' }]));
    const use = { stream: 'stage-b', app: 'live', protocol: 'rtmp', address: '198.51.100.7' };
    expect(await second.rows()).toMatchObject([{ last: use, live: [use] }]);
    expect(await second.publish(secret, { stream: 'stage-c', client_id: 'c2' })).toMatchObject({ code: 0 });
    await second.hook('verify', { ...client, action: 'on_unpublish' });
    expect((await second.rows())[0].live).toMatchObject([{ stream: 'stage-c' }]);
  });

  it('tell a refused publisher nothing that a wrong secret would not, and the owner the name of the key', async () => {
    const { create, keys, publish, refused, call } = await open();
    const { key, secret } = await create();
    const wrong = await publish('wrong-wrong-wrong');
    await keys('update', { uuid: key.uuid, expiresAt: '2020-01-01T00:00:00.000Z' });
    const expired = await publish(secret);
    expect(expired).toMatchObject({ status: 401, code: 3000 });
    expect(expired.data).toEqual(wrong.data);
    await vi.waitFor(() => expect(refused.map(({ reason }) => reason)).toEqual(['secret-wrong', 'key-expired']));
    const { attempts } = (await call('mgmt/streams/attempts')).data;
    expect(attempts[0]).toMatchObject({
      reason: 'key-expired',
      key: 'Stage B',
      keyEndedAt: '2020-01-01T00:00:00.000Z',
    });
    expect(JSON.stringify(attempts)).not.toContain(secret);
  });

  it('count publishers that are there, not those that the callback receiver or the limit refused', async () => {
    const { create, publish, hook, refused } = await open();
    const { secret } = await create({ publishers: 1 });
    const [one, two] = await Promise.all([publish(secret), publish(secret, { stream: 'stage-c', client_id: 'c2' })]);
    expect([one.code, two.code].sort()).toEqual([0, 3000]);
    await vi.waitFor(() => expect(refused).toMatchObject([{ reason: 'key-full', key: 'Stage B' }]));
    await hook('verify', { ...client, action: 'on_publish_asked', stream: 'stage-b', client_id: 'c3', param: '' });
    expect(await publish(secret, { client_id: 'c4' })).toMatchObject({ code: 0 });
    for (const client_id of ['c1', 'c4']) await hook('verify', { ...client, client_id, action: 'on_unpublish' });
    expect(await publish(secret, { stream: 'stage-c', client_id: 'c5' })).toMatchObject({ code: 0 });
  });
});

describe('a publisher with a stream key', () => {
  it.each<[string, string, object]>([
    ['it is revoked', 'revoke', {}],
    ['it is rotated', 'rotate', {}],
    ['it is switched off', 'update', { enabled: false }],
    ['it expires', 'update', { expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['its stream is taken out', 'update', { streams: ['live/other'] }],
    ['its protocol is taken out', 'update', { protocols: ['srt'] }],
  ])('is disconnected as soon as %s, and others are not', async (_what, path, change) => {
    const { create, keys, publish, mediaServer, call } = await open();
    const { key, secret } = await create();
    const other = await create({ name: 'Other' });
    await publish(secret);
    await publish(other.secret, { stream: 'stage-c', client_id: 'c2' });
    await publish((await call('hooks/srs/secret/query')).data.publish, { stream: 'stage-d', client_id: 'c3' });
    expect(await keys(path, { uuid: key.uuid, ...change })).toMatchObject({ code: 0 });
    // Again each second until it is gone.
    expect([...new Set(mediaServer.kicked)]).toEqual(['c1']);
  });

  it('is disconnected once the engine can be reached, also after a restart', async () => {
    const store = new MemoryStore();
    const mediaServer = new FakeMediaServer();
    const { create, keys, publish } = await open({ store, mediaServer });
    const { key, secret } = await create();
    await publish(secret);
    mediaServer.isAway = true;
    expect(await keys('revoke', { uuid: key.uuid })).toMatchObject({ code: 0, data: null });
    await open({ store, mediaServer });
    expect(mediaServer.kicked).toEqual([]);
    mediaServer.isAway = false;
    await vi.waitFor(() => expect(mediaServer.kicked).toContain('c1'));
  });

  it('is named in callbacks and the timeline', async () => {
    const { create, publish, hook, events, call } = await open();
    const seen: unknown[] = [];
    events.on('stream:published', ({ key }) => void seen.push(key));
    events.on('stream:ended', ({ key }) => void seen.push(key));
    const { secret } = await create();
    await publish(secret);
    await hook('verify', { ...client, action: 'on_unpublish' });
    await vi.waitFor(() => expect(seen).toEqual(['Stage B', 'Stage B']));
    const { entries } = (await call('mgmt/streams/timeline', { app: 'live', stream: 'stage-b' })).data;
    expect(entries.at(-1)).toMatchObject({ what: 'publisher-connected', facts: { keyName: 'Stage B' } });
  });
});
