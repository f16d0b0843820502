import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAlive, until } from '../weir.fixture.ts';
import { Publisher } from './fixtures/ffmpeg.fixture.ts';
import { badSteps, FrameViewer } from './fixtures/frames.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';

let live: Live;
let publisher: Publisher;
beforeAll(async () => {
  live = await Live.start();
  publisher = new Publisher(live.publishUrl('steady'));
  await until(() => live.isLive('steady'), 'the stream is live');
});
afterAll(async () => {
  await publisher.stop('SIGKILL');
  await live.close();
});

it('a publisher and its viewers are not interrupted when the control plane is killed and comes back', async () => {
  const { httpPort, rtmpPort } = live.weir;
  const viewers = [FrameViewer.overFlv(httpPort, '/live/steady.flv'), FrameViewer.overRtmp(rtmpPort, 'live', 'steady')];
  const pictures = () => Math.min(...viewers.map(({ times }) => times.video.length));
  await until(() => pictures() >= 25, 'a second of pictures');

  const story = async () =>
    (await live.post('/terraform/v1/mgmt/streams/timeline', { app: 'live', stream: 'steady' })).data as {
      broadcast: { id: number; endedAt: string };
      entries: { what: string; numbers: Record<string, number> }[];
    };
  const told = ['publisher-connected', 'format-changed', 'verdict-changed'];
  await until(async () => {
    const { entries } = await story();
    return told.every((what) => entries.some((each) => each.what === what));
  }, 'publisher, form and verdict are noted');
  const before = await story();
  const killedAtMs = Date.now();
  const server = live.weir.pidOf('server');
  process.kill(server, 'SIGKILL');
  await until(() => !isAlive(server), 'server gone');
  await until(async () => (await live.post('/terraform/v1/mgmt/check')).status === 200, 'server back');
  const streams = async () =>
    (await live.post('/terraform/v1/mgmt/streams/query')).data.streams as { stream: string }[];
  await until(async () => (await streams()).some(({ stream }) => stream === 'steady'), 'known again');
  await until(async () => (await story()).entries.some(({ what }) => what === 'recorder-back'), 'the story goes on');
  const whenBack = pictures();
  await until(() => pictures() >= whenBack + 25, 'a second of pictures more');

  expect(publisher.hasEnded).toBe(false);
  for (const { hasEnded, times, reason } of viewers) {
    expect([hasEnded, reason]).toEqual([false, '']);
    // 25 pictures a second, and packets of 1024 samples at 44.1 kHz in whole milliseconds: not one is missing or doubled.
    expect(badSteps(times.video, 40, 40)).toEqual([]);
    expect(badSteps(times.audio, 23, 24)).toEqual([]);
    expect(times.audio.length).toBeGreaterThan(times.video.length);
  }
  // Data written before the kill is there, and the gap is no longer than the server was down.
  const after = await story();
  expect(after.broadcast).toMatchObject({ id: before.broadcast.id, endedAt: '' });
  expect(after.entries.slice(-before.entries.length)).toEqual(before.entries);
  const gap = after.entries.find(({ what }) => what === 'recorder-back')?.numbers.seconds ?? Number.POSITIVE_INFINITY;
  expect(gap).toBeLessThan((Date.now() - killedAtMs) / 1000 + 3);
  const detail = await live.post('/terraform/v1/mgmt/streams/detail', { app: 'live', stream: 'steady' });
  await live.post(`/api/v1/clients/${detail.data.viewers[0].id}?method=DELETE`);
  await until(async () => (await story()).entries[0]?.what === 'viewer-kicked', 'the kick is noted');
  for (const viewer of viewers) viewer.close();
  await publisher.stop('SIGKILL');
  await until(async () => (await story()).broadcast.endedAt !== '', 'the broadcast is over');
  expect((await story()).entries[0]).toMatchObject({ what: 'publisher-left', facts: { reason: 'closed' } });
});
