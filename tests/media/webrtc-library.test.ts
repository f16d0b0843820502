import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';
import { freeUdpPort, UdpProxy } from './fixtures/udp-proxy.fixture.ts';
import { Call, launchCallingBrowser } from './fixtures/webrtc.fixture.ts';

let live: Live;
let browser: Browser;
let road: UdpProxy;

beforeAll(async () => {
  const [behind, front] = [await freeUdpPort(), await freeUdpPort()];
  road = await UdpProxy.open(front, { host: '127.0.0.1', port: behind });
  const ports = { WEIR_RTC_LISTEN: `127.0.0.1:${behind}`, RTC_PORT: String(front) };
  [live, browser] = await Promise.all([
    Live.start({ ...ports, WEIR_RTC_TRANSPORT: 'library' }),
    launchCallingBrowser(),
  ]);
});
afterAll(async () => {
  await Promise.all([browser.close(), live.close()]);
  road.close();
});

it('a camera is published and played with sound by the library as well, and goes on with a twentieth lost each way', async () => {
  const call = async (kind: 'whip' | 'whep') => {
    const query = kind === 'whip' ? `&secret=${live.secret}` : '';
    const address = `${live.weir.origin}/rtc/v1/${kind}/?app=live&stream=camera&eip=127.0.0.1${query}`;
    const opened = await Call.open(browser, live.weir.origin, address, kind === 'whip', '');
    const answer = await opened.answer();
    expect([answer.status, answer.body.includes('a=ice-lite')]).toEqual([201, false]);
    return opened;
  };
  await call('whip');
  await until(() => live.isLive('camera'), 'live');
  const viewer = await call('whep');
  await until(async () => ((await viewer.facts()).audio?.totalAudioEnergy ?? 0) > 0.01, 'sound is heard');
  const before = await viewer.facts();
  road.toServerLoss = 0.05;
  road.toClientLoss = 0.05;
  await until(async () => (await viewer.facts()).frames > before.frames + 90, 'three seconds of pictures', 30_000);
  const { longestGapMs, video } = await viewer.facts();
  expect(video?.nackCount).toBeGreaterThan(0);
  expect(longestGapMs).toBeLessThan(2000);
});
