import { setTimeout as sleep } from 'node:timers/promises';
import type { Broadcast, BroadcastReport, TimelineEntry } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { systemClock } from '../../core/clock.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';
import { Receiver } from '../hooks/receiver.fixture.ts';

/** Looks follow each other while one blinks, and each finds that five seconds have passed. */
const clock = {
  ...systemClock,
  elapsedMs: () => systemClock.elapsedMs() * 300,
  pause: (ms: number, signal?: AbortSignal) => sleep(Math.min(ms, 20), undefined, { signal }),
};
const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const media = {
  protocol: 'rtmp',
  address: '192.0.2.9',
  viewers: 3,
  kbps: 900,
  fps: 30,
  bFrames: false,
  video: { codec: 'H264', profile: 'High', width: 1280, height: 720, fps: 30 },
  audio: { codec: 'AAC', sampleRate: 48_000, channels: 2 },
};
const live = (facts: object = {}) => liveStream({ media: { ...media, ...facts } });

function seconds(keyframeMs: number) {
  const at = Array.from({ length: 60 }, (_, index) => Date.now() - (60 - index) * 1000);
  const column = (value: number) => at.map(() => value);
  const columns = { inKbps: column(900), audioKbps: column(96), fps: column(30), pace: column(1), silence: column(0) };
  return { seconds: { at, columns: { ...columns, keyframeMs: column(keyframeMs) } }, viewers: [] };
}

async function watched(mediaServer: FakeMediaServer, dataDir?: string) {
  const app = await createReadyApp({ mediaServer, clock, ...(dataDir !== undefined && { dataDir }) });
  const ask = async () =>
    (await app.call('mgmt/streams/timeline', place)).data as { broadcast: Broadcast; entries: TimelineEntry[] };
  const whats = async () => (await ask()).entries.map(({ what }) => what);
  const until = (...expected: string[]) =>
    vi.waitFor(async () => expect(await whats()).toEqual(expect.arrayContaining(expected)));
  return { ...app, ask, whats, until };
}

it('lists the events of a broadcast: publisher, format, verdicts, viewers, settings, a kick, and its end', async () => {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [live()];
  mediaServer.details.set('__defaultVhost__/live/show', seconds(2000));
  const { call, ask, until, hook, dataDir, close, events } = await watched(mediaServer);
  await until('publisher-connected', 'format-changed', 'verdict-changed');
  mediaServer.details.set('__defaultVhost__/live/show', seconds(12_000));
  mediaServer.live = [live({ viewers: 120, video: { ...media.video, width: 640, height: 360 } })];
  events.emit('record:began', { ...place, uuid: 'r-1' });
  await call('mgmt/hphls/update', { noHlsCtx: true });
  await call('ffmpeg/forward/secret', {});
  await until('viewers-reached', 'recording-began', 'setting-changed');
  const verdicts = async () =>
    (await ask()).entries.filter(({ what }) => what === 'verdict-changed').map(({ facts }) => facts);
  await vi.waitFor(async () => expect((await verdicts())[0]?.issues).toContain('keyframes-far'));
  expect((await verdicts()).at(-1)).toEqual({ verdict: 'good', issues: '' });
  const { entries } = await ask();
  const facts = (what: string) => entries.filter((each) => each.what === what).map((each) => each.facts);
  expect(facts('format-changed').map(({ size }) => size)).toEqual(['640×360', '1280×720']);
  expect(facts('viewers-reached')).toEqual([{ viewers: '100' }]);
  expect(facts('publisher-connected')).toEqual([{ protocol: 'rtmp', address: '192.0.2.9' }]);
  expect(facts('setting-changed')).toEqual([{ area: 'hls' }]);

  await call('mgmt/streams/kickoff', { ...place, client_id: '' });
  const gone = { action: 'on_unpublish', client_id: 'c1', ip: '192.0.2.9', ...place, why: 'kicked' };
  expect(await hook('verify', gone)).toMatchObject({ code: 0 });
  await until('publisher-kicked', 'publisher-left');
  const { broadcast } = await ask();
  // A recording known only from an event has no details.
  const recorded = { recordings: [], deletedRecordings: 1 };
  expect(broadcast).toMatchObject({ peakViewers: 120, ...recorded, app: 'live', stream: 'show' });
  expect(broadcast.endedAt).not.toBe('');
  expect(broadcast.bad + broadcast.ok).toBeGreaterThan(0);
  await close();
  const again = await watched(new FakeMediaServer(), dataDir);
  expect((await again.ask()).broadcast).toEqual(broadcast);
  expect((await again.call('mgmt/streams/broadcasts')).data).toEqual({ broadcasts: [broadcast], hasMore: false });
});

it('continues after a kill, and ends broadcasts that ended meanwhile', async () => {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [live(), liveStream({ name: 'over', clientId: 'c2' })];
  const first = await watched(mediaServer);
  await first.until('publisher-connected', 'format-changed');
  const over = { ...place, stream: 'over' };
  const ended = async (app: typeof first) => (await app.call('mgmt/streams/timeline', over)).data.broadcast?.endedAt;
  await vi.waitFor(async () => expect(await ended(first)).toBe(''));
  mediaServer.live = [live()];
  // The first is not closed: it knows nothing of the second, as after a kill.
  const second = await watched(mediaServer, first.dataDir);
  await second.until('recorder-back');
  await vi.waitFor(async () => expect(await ended(second)).not.toBe(''));
  expect((await second.whats()).filter((what) => what === 'publisher-connected')).toHaveLength(1);
  expect((await second.whats()).filter((what) => what === 'format-changed')).toHaveLength(1);
});

it('lists the callbacks of a broadcast with their results, also the one sent before it began', async () => {
  const mediaServer = new FakeMediaServer();
  const { call, hook, until, ask } = await watched(mediaServer);
  const receiver = await Receiver.start();
  await call('mgmt/hooks/apply', { target: receiver.url, all: true });
  const { data } = await call('hooks/srs/secret/query');
  const client = { client_id: 'c9', ip: '192.0.2.9', ...place, param: `?secret=${data.publish}`, protocol: 'srt' };
  await hook('verify', { ...client, param: '?secret=wrong', action: 'on_publish' });
  mediaServer.live = [live()].map((each) => ({ ...each, clientId: 'c9' }));
  await hook('verify', { ...client, action: 'on_publish' });
  await until('publisher-connected', 'callback-delivered', 'publisher-refused');
  receiver.answer = (response) => response.writeHead(500).end();
  await hook('verify', { ...client, action: 'on_unpublish', why: 'silent' });
  await until('publisher-left', 'callback-refused');
  const { entries } = await ask();
  const facts = (what: string) => entries.find((each) => each.what === what)?.facts;
  expect(facts('callback-delivered')).toEqual({ event: 'on_publish', status: '200' });
  expect(facts('callback-refused')).toMatchObject({ event: 'on_unpublish', failure: 'status', status: '500' });
  expect(facts('publisher-left')).toEqual({ reason: 'silent' });
  expect(facts('publisher-refused')).toMatchObject({ reason: 'secret-wrong', protocol: 'srt' });
});

it('gives a report without secrets and addresses of people', async () => {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [live()];
  mediaServer.details.set('__defaultVhost__/live/show', seconds(2000));
  const { call, until } = await watched(mediaServer);
  await until('publisher-connected', 'verdict-changed');
  const key = 'sk_live_1234567890abcdef';
  const outlet = { action: 'update', platform: 'wx', server: `rtmp://192.0.2.5/${key}`, secret: key, enabled: false };
  expect(await call('ffmpeg/forward/secret', { ...outlet, custom: true, label: `x secret=${key}` })).toMatchObject({
    code: 0,
  });
  const target = `https://user:${key}@192.0.2.6/${key}?token=${key}`;
  expect(await call('mgmt/hooks/apply', { target, opaque: key, all: true })).toMatchObject({ code: 0 });
  const { data } = (await call('mgmt/streams/report', place)) as { data: BroadcastReport };
  const text = JSON.stringify(data);
  expect(text).not.toContain(key);
  expect(text).not.toContain('192.0.2.9');
  expect(data).toMatchObject({
    format: 1,
    versions: { weir: '1.2.3', engine: 'built-in', store: 'sqlite' },
    diagnosis: { verdict: 'good' },
    settings: {
      callbacks: { all: true, hasTarget: true },
      forward: { destinations: [{ platform: 'wx' }] },
      vlive: { slots: [] },
      camera: { slots: [] },
    },
    server: {
      machine: { cores: expect.any(Number) },
      ffmpeg: { state: 'there', version: expect.stringMatching(/\d/) },
      health: { store: true, disk: { ok: true } },
      diagnosis: { issues: expect.any(Array) },
    },
  });
  expect(data.seconds.at).toHaveLength(60);
  expect(data.timeline.length).toBeGreaterThan(2);
  expect(await call('mgmt/streams/report', { app: 'live', stream: 'nobody' })).toMatchObject({ code: 1003 });
});
