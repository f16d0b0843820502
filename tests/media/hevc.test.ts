import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { complaints, probe } from './fixtures/ffmpeg.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';
import { Replay, record } from './fixtures/replay.fixture.ts';

const hevc = { codec_type: 'video', codec_name: 'hevc', width: 320, height: 180 };
const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine=sample_rate=44100'];
const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:keyint=25:bframes=0'];

let live: Live;
beforeAll(async () => {
  live = await Live.start();
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
});
afterAll(() => live.close());

it('carries H.265 from enhanced RTMP to HLS and low-latency HLS', async () => {
  const items = record(...source, ...x265, '-c:a', 'aac', '-t', '12');
  const replay = await Replay.start(live.weir.rtmpPort, `hevc?secret=${live.secret}`, items);
  await until(() => live.isLive('hevc'), 'live');
  const streams = await probe(live.http('hevc', '.m3u8'));
  expect(streams).toMatchObject([hevc, { codec_type: 'audio', codec_name: 'aac' }]);
  expect(await complaints(live.http('hevc', '.m3u8'), 2)).toBe('');
  const low = await (await fetch(live.http('hevc', '.ll.m3u8'))).text();
  expect(low).toMatch(/CODECS="hvc1\.[^"]+,mp4a\.40\.2"/);
  await replay.stop();
});
