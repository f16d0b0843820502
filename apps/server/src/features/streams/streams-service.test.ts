import { expect, it } from 'vitest';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';
import { StreamsService } from './streams-service.ts';

function open() {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [liveStream({ name: 'show' })];
  const clock = { ms: 0 };
  const streams = new StreamsService(mediaServer, { elapsedMs: () => clock.ms }, () => '');
  const names = async () => (await streams.list()).map(({ stream }) => stream);
  return { mediaServer, clock, streams, names };
}

it('queries the engine once for all callers at about the same time', async () => {
  const { mediaServer, clock, names } = open();
  expect(await names()).toEqual(['show']);
  mediaServer.live = [];
  clock.ms = 90;
  expect(await names()).toEqual(['show']);
  clock.ms = 100;
  expect(await names()).toEqual([]);
});

it('queries again as soon as a stream came or went', async () => {
  const { mediaServer, streams, names } = open();
  await names();
  mediaServer.live = [];
  streams.forget();
  expect(await names()).toEqual([]);
});

it('caches publishers for longer, until one comes or goes', async () => {
  const { mediaServer, clock, streams } = open();
  const publisher = () => streams.publisherOf({ vhost: '__defaultVhost__', app: 'live', stream: 'show' });
  expect(await publisher()).toBe('c1');
  mediaServer.live = [liveStream({ name: 'show', clientId: 'c2' })];
  clock.ms = 1900;
  expect(await publisher()).toBe('c1');
  clock.ms = 2000;
  expect(await publisher()).toBe('c2');
  mediaServer.live = [];
  streams.forget();
  expect(await publisher()).toBeUndefined();
});

it('caches no failure', async () => {
  const { mediaServer, names } = open();
  mediaServer.isAway = true;
  await expect(names()).rejects.toThrow();
  mediaServer.isAway = false;
  expect(await names()).toEqual(['show']);
});

it('disconnects a viewer of the given stream, and no one else', async () => {
  const { mediaServer, streams } = open();
  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
  const viewer = {
    id: 'v1',
    protocol: 'hls',
    address: '',
    since: '',
    bytes: 0,
    kbps: 0,
    droppedFrames: 0,
    rttMs: null,
    behindMs: null,
    isSlow: false,
  } as const;
  mediaServer.details.set('__defaultVhost__/live/show', { seconds: { at: [], columns: {} }, viewers: [viewer] });
  await streams.kickViewer({ ...place, id: 'v1' });
  expect(mediaServer.kicked).toEqual(['v1']);
  const publisher = mediaServer.live[0]?.clientId ?? '';
  for (const id of ['v2', publisher]) {
    await expect(streams.kickViewer({ ...place, id })).rejects.toMatchObject({ kind: 'not_found' });
  }
  await expect(streams.kickViewer({ ...place, stream: 'other', id: 'v1' })).rejects.toMatchObject({
    kind: 'not_found',
  });
  expect(mediaServer.kicked).toEqual(['v1']);
});
