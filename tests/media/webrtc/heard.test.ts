import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { inputs, Publisher } from '../fixtures/ffmpeg.fixture.ts';
import type { Call } from '../fixtures/webrtc.fixture.ts';
import { RtcDesk } from './rtc-desk.fixture.ts';

/** Judged after a player has filled its buffer, for this long. */
const seconds = 20;

let desk: RtcDesk;
const publishers: Publisher[] = [];

beforeAll(async () => {
  desk = await RtcDesk.start();
});
afterAll(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  await desk.close();
});

/** What was heard since `before`: samples, and the share of them that the browser had to make up. */
async function heardSince(viewer: Call, before: Awaited<ReturnType<Call['facts']>>) {
  const { audio, video } = await viewer.facts();
  const grown = (name: 'totalSamplesReceived' | 'concealedSamples' | 'packetsDiscarded' | 'packetsLost') =>
    (audio?.[name] ?? 0) - (before.audio?.[name] ?? 0);
  const samples = grown('totalSamplesReceived');
  return {
    samples,
    lost: grown('packetsLost'),
    discarded: grown('packetsDiscarded'),
    concealedPercent: samples > 0 ? (100 * grown('concealedSamples')) / samples : 100,
    freezes: (video?.freezeCount ?? 0) - (before.video?.freezeCount ?? 0),
  };
}

it('audio of every source is heard by WHEP without holes: nothing is discarded, next to nothing made up', async () => {
  const at48k = inputs.both.map((arg) => arg.replace('sample_rate=44100', 'sample_rate=48000'));
  const srt = `srt://127.0.0.1:${desk.live.weir.srtPort}?streamid=#!::r=live/srt?secret=${desk.live.secret},m=publish`;
  publishers.push(
    new Publisher(desk.live.publishUrl('rtmp-44k')),
    new Publisher(desk.live.publishUrl('rtmp-48k'), at48k),
    new Publisher(srt, inputs.both, 'mpegts'),
  );
  await desk.publishByCamera('whip');
  const names = ['rtmp-44k', 'rtmp-48k', 'srt', 'whip'];
  const viewers = await Promise.all(
    names.map(async (name) => {
      await until(() => desk.live.isLive(name), `${name} is live`);
      const viewer = await desk.call('whep', name);
      await until(
        async () => ((await viewer.facts()).audio?.totalAudioEnergy ?? 0) > 0.001,
        `${name} is heard`,
        30_000,
      );
      const { audio } = await viewer.facts();
      const filled = (audio?.totalSamplesReceived ?? 0) + 3 * 48_000;
      await until(async () => ((await viewer.facts()).audio?.totalSamplesReceived ?? 0) > filled, 'settled', 30_000);
      return { name, viewer, before: await viewer.facts() };
    }),
  );
  const results = await Promise.all(
    viewers.map(async ({ name, viewer, before }) => {
      const enough = (before.audio?.totalSamplesReceived ?? 0) + seconds * 48_000;
      await until(async () => ((await viewer.facts()).audio?.totalSamplesReceived ?? 0) > enough, name, 90_000);
      return [name, await heardSince(viewer, before)] as const;
    }),
  );
  for (const [name, { lost, discarded, concealedPercent }] of results) {
    expect.soft({ name, lost, discarded }).toEqual({ name, lost: 0, discarded: 0 });
    expect.soft(concealedPercent, `${name}: ${JSON.stringify(results)}`).toBeLessThan(0.5);
  }
}, 180_000);
