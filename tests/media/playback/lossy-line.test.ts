import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import type { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { UdpLine } from '../fixtures/line/udp-line.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { freeUdpPort } from '../fixtures/udp-proxy.fixture.ts';
import { publishClip } from '../fixtures/viewer/broadcast.fixture.ts';
import { launchViewers, Viewer } from '../fixtures/viewer/viewer.fixture.ts';

const lossShare = 0.05;
const watchMs = 12_000;

let live: Live;
let browser: Browser;
let line: UdpLine;
let publisher: Publisher;
beforeAll(async () => {
  const port = await freeUdpPort();
  const env = { WEIR_RTC_LISTEN: `127.0.0.1:${port}`, RTC_PORT: String(port) };
  [live, browser, line] = await Promise.all([Live.start(env), launchViewers(), UdpLine.open({ port })]);
  const { rtmpPort, srtPort } = live.weir;
  const media = { sampleRate: 48_000, hasBFrames: false } as const;
  publisher = publishClip('rtmp', 'show', media, { rtmpPort, srtPort, secret: live.secret });
  await until(() => live.isLive('show'), 'live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  line?.close();
  await Promise.all([browser?.close(), live?.close()]);
});

it('audio packets that a link loses are sent again to viewers on our WebRTC page', async () => {
  line.set({ delayMs: 10 });
  const viewer = await Viewer.open(browser, 'whep', { origin: live.weir.origin, name: 'show', rtcPort: line.port });
  await viewer.plays(3);
  line.set({ loss: lossShare });
  // Without repair as much is concealed as was lost. A busy machine conceals more now and then.
  await until(
    async () => {
      await viewer.begin();
      const beganMs = performance.now();
      await until(() => performance.now() - beganMs > watchMs, 'watched', watchMs * 2);
      const { rtc } = await viewer.report();
      return rtc !== undefined && rtc.audioPackets > 100 && rtc.concealedShare < lossShare / 2;
    },
    'less than half of what was lost is concealed',
    watchMs * 5,
  );
  expect(line.toClient.queue.lost).toBeGreaterThan(50);
  await viewer.close();
});
