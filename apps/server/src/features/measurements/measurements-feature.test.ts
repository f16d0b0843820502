import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { systemClock } from '../../core/clock.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';

const minuteMs = 60_000;
const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
/** Minutes pass while one blinks. */
const clock = {
  ...systemClock,
  pause: (ms: number, signal?: AbortSignal) => sleep(Math.min(ms, 20), undefined, { signal }),
};

function minutes(count: number) {
  const endMs = Math.floor(Date.now() / minuteMs) * minuteMs - minuteMs;
  const at = Array.from({ length: count }, (_, index) => endMs - (count - 1 - index) * minuteMs);
  return { at, columns: { inKbps: at.map((_, index) => index) } };
}

it('stores every minute of the engine, page by page, and continues after a restart', async () => {
  const mediaServer = new FakeMediaServer();
  const all = minutes(40);
  const upTo = (count: number) => ({
    at: all.at.slice(0, count),
    columns: { inKbps: all.columns.inKbps.slice(0, count) },
  });
  const show = (count: number) => {
    mediaServer.samples = { server: upTo(count), streams: [{ ...place, isLive: true, samples: upTo(count) }] };
  };
  show(35);
  const first = await createReadyApp({ mediaServer, clock });
  const rows = async (app: typeof first) => (await app.call('mgmt/streams/history', place)).data.samples;
  await vi.waitFor(async () => expect((await rows(first)).at).toHaveLength(35));
  await first.close();
  show(40);
  const second = await createReadyApp({ mediaServer, clock, dataDir: first.dataDir });
  await vi.waitFor(async () => expect((await rows(second)).at).toEqual(all.at));
  expect((await rows(second)).columns.inKbps.at(-1)).toBe(39);
  const server = await second.call('mgmt/server/history', { since: all.at[37] });
  expect(server.data.samples.at).toEqual(all.at.slice(38));
});

it('shows a stream with its seconds and viewers, and one without a publisher without them', async () => {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [liveStream()];
  const seconds = { at: [1000, 2000], columns: { fps: [25, 25], fromAnotherVersion: [1, 2] } };
  const viewer = {
    id: 'v',
    protocol: 'flv' as const,
    address: '192.0.2.1',
    since: '',
    bytes: 1,
    kbps: 2,
    droppedFrames: 0,
    rttMs: null,
    behindMs: null,
    isSlow: false,
  };
  mediaServer.details.set('__defaultVhost__/live/show', { seconds, viewers: [viewer] });
  const { call } = await createReadyApp({ mediaServer });
  const { data } = await call('mgmt/streams/detail', { app: 'live', stream: 'show' });
  expect(data).toMatchObject({ live: { stream: 'show' }, samples: { at: [1000, 2000] }, viewers: [viewer] });
  expect(data.samples.columns).toMatchObject({ fps: [25, 25], rttMs: [null, null] });
  expect(data.samples.columns).not.toHaveProperty('fromAnotherVersion');
  expect((await call('mgmt/streams/detail', { app: 'live', stream: 'other' })).data).toMatchObject({
    live: null,
    samples: { at: [] },
    viewers: [],
  });
  mediaServer.isAway = true;
  expect(await call('mgmt/streams/detail', place)).toMatchObject({ status: 502 });
  expect(await call('mgmt/streams/history', place)).toMatchObject({ status: 200, data: { samples: { at: [] } } });
});
