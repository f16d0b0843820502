import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { complaints, probe } from './fixtures/ffmpeg.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';
import { Obs } from './fixtures/obs.fixture.ts';

// Named in vitest.config.ts: this file is only looked at where OBS is installed.

let live: Live;
let obs: Obs;
beforeAll(async () => {
  live = await Live.start();
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  obs = new Obs(`rtmp://127.0.0.1:${live.weir.rtmpPort}/live`, `obs?secret=${live.secret}`);
});
afterAll(async () => {
  await obs.close();
  await live.close();
});

it('OBS publishes with the secret, and is watched by HTTP-FLV, RTMP and HLS', async () => {
  await until(() => live.isLive('obs') || obs.hasEnded, 'OBS is live');
  const expected = [
    { codec_type: 'video', codec_name: 'h264', width: 640, height: 360 },
    { codec_type: 'audio', codec_name: 'aac', channels: 2 },
  ];
  expect(await probe(live.http('obs', '.flv'))).toMatchObject(expected);
  expect(await probe(live.rtmp('obs'))).toMatchObject(expected);
  expect(await probe(live.http('obs', '.m3u8'))).toMatchObject(expected);
  expect(await complaints(live.http('obs', '.flv'), 2)).toBe('');
  expect(obs.hasEnded).toBe(false);
  expect(live.weir.output).not.toContain(live.secret);
});
