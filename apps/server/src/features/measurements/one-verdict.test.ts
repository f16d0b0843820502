import { expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { systemClock } from '../../core/clock.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const media = {
  protocol: 'rtc',
  address: '192.0.2.9',
  viewers: 0,
  kbps: 65,
  fps: 5,
  bFrames: false,
  video: { codec: 'H264', profile: 'Constrained Baseline', width: 1280, height: 720, fps: 30 },
  audio: { codec: 'opus', sampleRate: 48_000, channels: 2 },
};
const good = { inKbps: 2500, audioKbps: 32, fps: 30, keyframeMs: 2000, pace: 1, rttMs: 40, lossPercent: 0 };
/** Samples of a publisher via WHIP whose network was too slow. */
const crowded = { ...good, inKbps: 65, fps: 5, rttMs: 2700 };

async function open() {
  let nowMs = Date.UTC(2026, 5, 1, 12);
  const mediaServer = new FakeMediaServer();
  const clock = { ...systemClock, dateMs: () => nowMs, elapsedMs: () => nowMs };
  mediaServer.live = [liveStream({ media, publishedAt: new Date(nowMs - 120_000).toISOString() })];
  const app = await createReadyApp({ mediaServer, clock });
  /** Advances the clock; every sample of the last minute has the given values. */
  const pass = (seconds: number, values: Readonly<Record<string, number>>) => {
    nowMs += seconds * 1000;
    const at = Array.from({ length: 60 }, (_, index) => nowMs - (60 - index) * 1000);
    const columns = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, at.map(() => value)]));
    const samples = { at, columns };
    mediaServer.samples = { server: { at: [], columns: {} }, streams: [{ ...place, isLive: true, samples }] };
    mediaServer.details.set('__defaultVhost__/live/show', { seconds: samples, viewers: [] });
  };
  const places = async () => {
    const [overview, detail, query, status] = await Promise.all([
      app.call('mgmt/streams/overview'),
      app.call('mgmt/streams/detail', place),
      app.call('mgmt/streams/query'),
      app.call('mgmt/status'),
    ]);
    return {
      overview: overview.data.streams[0].diagnosis,
      page: detail.data.diagnosis,
      list: query.data.streams[0].verdict,
      alerts: status.data.alerts.filter(({ kind }: { kind: string }) => kind === 'stream'),
    };
  };
  return { ...app, mediaServer, pass, places };
}

it('gives the same verdict on a publisher with a slow line in overview, page, list and alerts', async () => {
  const { pass, places } = await open();
  pass(0, crowded);
  const seen = await places();
  expect(seen.page).toMatchObject({ verdict: 'bad', issues: [{ id: 'uplink-full', numbers: { ms: 2700, fps: 5 } }] });
  expect(seen.overview).toEqual(seen.page);
  expect(seen.list).toBe('bad');
  expect(seen.alerts).toMatchObject([{ severity: 'bad', subject: 'live/show', cause: 'uplink-full' }]);

  pass(60, good);
  const mended = await places();
  expect(mended.page).toEqual({ verdict: 'good', issues: [] });
  expect(mended).toMatchObject({ overview: mended.page, list: 'good', alerts: [] });
});

it('never shows a verdict older than one that was already shown', async () => {
  const { pass, call, mediaServer } = await open();
  pass(0, good);
  const [{ diagnosis }] = (await call('mgmt/streams/overview')).data.streams;
  expect(diagnosis.verdict).toBe('good');
  const { samples } = mediaServer;
  pass(1, crowded);
  expect((await call('mgmt/streams/detail', place)).data.diagnosis.verdict).toBe('bad');
  // The overview still has the samples of a second ago.
  mediaServer.samples = samples;
  expect((await call('mgmt/streams/query')).data.streams[0].verdict).toBe('bad');
});

it('reports since when something is wrong, from the first check that saw it', async () => {
  const { pass, places } = await open();
  pass(0, crowded);
  const { since } = (await places()).page.issues[0];
  pass(5, crowded);
  expect((await places()).page.issues[0].since).toBe(since);
  pass(5, crowded);
  expect((await places()).alerts[0].since).toBe(since);
});

it('lists streams without a verdict where the media server measures nothing', async () => {
  const { mediaServer, call } = await open();
  mediaServer.lacks = ['measurements'];
  expect((await call('mgmt/streams/query')).data.streams[0]).not.toHaveProperty('verdict');
});
