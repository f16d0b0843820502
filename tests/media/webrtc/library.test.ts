import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { RtcDesk } from './rtc-desk.fixture.ts';

let desk: RtcDesk;

beforeAll(async () => {
  desk = await RtcDesk.start({ WEIR_RTC_TRANSPORT: 'library' });
});
afterAll(() => desk.close());

it('a camera is published and played with sound by the library transport as well, and survives 5 % loss each way', async () => {
  const camera = await desk.call('whip', 'camera');
  await until(() => desk.live.isLive('camera'), 'live');
  const viewer = await desk.call('whep', 'camera');
  for (const call of [camera, viewer]) expect((await call.answer()).body).not.toContain('a=ice-lite');
  await until(async () => ((await viewer.facts()).audio?.totalAudioEnergy ?? 0) > 0.01, 'sound is heard');
  const before = await viewer.facts();
  desk.setLoss(0.05);
  await until(async () => (await viewer.facts()).frames > before.frames + 90, 'three seconds of pictures');
  const { longestGapMs, video } = await viewer.facts();
  expect(video?.nackCount).toBeGreaterThan(0);
  expect(longestGapMs).toBeLessThan(2000);
});
