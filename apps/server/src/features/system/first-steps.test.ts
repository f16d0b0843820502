import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';

const client = { client_id: 'c1', server_id: 's', ip: '198.51.100.7', app: 'live', stream: 'show' };
const none = { published: false, watched: false, forwarded: false, recorded: false };

async function open(store = new MemoryStore()) {
  const server = await createReadyApp({ store });
  const steps = async () => (await server.call('mgmt/status')).data.steps;
  return { ...server, steps };
}

it('lists no step as done on a new server, and each one once it is done', async () => {
  const { call, hook, steps } = await open();
  expect(await steps()).toEqual(none);
  const { publish } = (await call('hooks/srs/secret/query')).data;
  await hook('verify', { ...client, action: 'on_publish', param: `?secret=${publish}` });
  await vi.waitFor(async () => expect(await steps()).toEqual({ ...none, published: true }));
  await hook('verify', { ...client, action: 'on_play', preview: true });
  expect(await steps()).toMatchObject({ watched: false });
  await hook('verify', { ...client, action: 'on_play' });
  await vi.waitFor(async () => expect(await steps()).toMatchObject({ watched: true }));
  await call('ffmpeg/forward/secret', {
    action: 'update',
    platform: 'wx',
    server: 'rtmp://to.test/live',
    enabled: true,
  });
  expect(await steps()).toMatchObject({ forwarded: true });
  await call('hooks/record/apply', { all: true });
  expect(await steps()).toMatchObject({ recorded: true });
});

it('does not count a refused publisher as published', async () => {
  const { hook, steps } = await open();
  await hook('verify', { ...client, action: 'on_publish', param: '?secret=wrong' });
  expect(await steps()).toEqual(none);
});

it('keeps its steps across a restart', async () => {
  const store = new MemoryStore();
  const first = await open(store);
  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show', param: '', serverId: 's', clientId: 'c' };
  first.events.emit('stream:published', { ...place, publishedAt: new Date().toISOString() });
  await vi.waitFor(async () => expect(await first.steps()).toMatchObject({ published: true }));
  expect(await (await open(store)).steps()).toMatchObject({ published: true });
});
