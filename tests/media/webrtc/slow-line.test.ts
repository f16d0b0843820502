import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { UdpLine } from '../fixtures/line/udp-line.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { freeUdpPort } from '../fixtures/udp-proxy.fixture.ts';
import { publishByWhip } from '../fixtures/viewer/broadcast.fixture.ts';
import { Call, launchCallingBrowser } from '../fixtures/webrtc.fixture.ts';

/** The stream has about 600 kbit/s and a keyframe each second. */
const halfBps = 300_000;
const gopMs = 1000;

let live: Live;
let browser: Browser;
let publisher: Publisher;
let rtcPort: number;
const lines: UdpLine[] = [];

beforeAll(async () => {
  rtcPort = await freeUdpPort();
  const ports = { WEIR_RTC_LISTEN: `127.0.0.1:${rtcPort}`, RTC_PORT: String(rtcPort) };
  [live, browser] = await Promise.all([Live.start(ports), launchCallingBrowser()]);
  publisher = new Publisher(live.publishUrl('slow'));
  await until(() => live.isLive('slow'), 'live');
});
afterAll(async () => {
  await publisher.stop('SIGKILL');
  await Promise.all([browser.close(), live.close()]);
  for (const line of lines) line.close();
});

async function openLine(): Promise<UdpLine> {
  const line = await UdpLine.open({ port: rtcPort });
  lines.push(line);
  line.set({ delayMs: 10 });
  return line;
}

const queryOf = (stream: string) => `app=live&stream=${stream}&eip=127.0.0.1`;

async function watch(stream: string, over?: UdpLine): Promise<Call> {
  const address = `${live.weir.origin}/rtc/v1/whep/?${queryOf(stream)}`;
  const viewer = await Call.open(browser, live.weir.origin, address, false, over && { port: over.port });
  await until(async () => (await viewer.facts()).frames > 50, 'two seconds are shown');
  return viewer;
}

/** Our page, told that the server is at the other end of this line. */
async function openPageOver(line: UdpLine): Promise<Page> {
  const page = await browser.newPage();
  await page.route('**/rtc/v1/whep/**', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/^(a=candidate:(?:\S+ ){5})\d+/gm, `$1${line.port}`);
    await route.fulfill({ response: answer, body });
  });
  await page.goto(`${live.weir.origin}/players/whep.html?${queryOf('slow')}&autostart=true`);
  await page.locator('section[data-phase=playing]').waitFor({ timeout: 120_000 });
  return page;
}

/** Frames and audio played since `before`. */
function since(before: Awaited<ReturnType<Call['facts']>>, now: Awaited<ReturnType<Call['facts']>>) {
  const grown = (kind: 'audio' | 'video', name: keyof NonNullable<typeof now.video>) =>
    Number(now[kind]?.[name] ?? 0) - Number(before[kind]?.[name] ?? 0);
  return {
    frames: now.frames - before.frames,
    heardSeconds: grown('audio', 'totalSamplesReceived') / 48_000,
    concealedShare: grown('audio', 'concealedSamples') / Math.max(1, grown('audio', 'totalSamplesReceived')),
  };
}

const hears = (viewer: Call, seconds: number, from: Awaited<ReturnType<Call['facts']>>) =>
  until(async () => since(from, await viewer.facts()).heardSeconds > seconds, `${seconds} s are heard`);

it('a viewer with half the bitrate gets all audio and keyframes, is informed, and gets everything again', async () => {
  const [line, pageLine] = [await openLine(), await openLine()];
  const [viewer, page] = await Promise.all([watch('slow', line), openPageOver(pageLine)]);
  for (const each of [line, pageLine]) each.toClient.set({ rateBps: halfBps, queueMs: 400 });
  const narrowed = await viewer.facts();
  await hears(viewer, 2, narrowed);
  await viewer.page.evaluate('call.longestGapMs = 0');
  const settled = await viewer.facts();
  await hears(viewer, 7, settled);
  const during = await viewer.facts();
  expect(since(settled, during).frames).toBeGreaterThan(3);
  expect(since(settled, during).concealedShare).toBeLessThan(0.02);
  // A keyframe takes some time over such a line, each of them another; without keyframes only it was nine seconds.
  expect(during.longestGapMs).toBeLessThan(2 * gopMs);
  const notice = page.getByText('Your connection is too slow for this stream');
  await notice.waitFor();
  expect(await page.getByRole('link', { name: 'low-latency HLS' }).getAttribute('href')).toContain(
    'stream=slow.ll.m3u8',
  );
  for (const each of [line, pageLine]) each.toClient.set({ rateBps: Number.POSITIVE_INFINITY });
  await until(
    async () => {
      const before = await viewer.facts();
      await hears(viewer, 1, before);
      return since(before, await viewer.facts()).frames > 20;
    },
    'all frames are shown again',
    40_000,
  );
  await notice.waitFor({ state: 'detached', timeout: 40_000 });
});

it('a publisher with half the bitrate sends less within seconds, stays visible, and recovers at once with its line', async () => {
  const line = await openLine();
  const { origin } = live.weir;
  const page = await publishByWhip(browser, { origin, secret: live.secret, rtcPort: line.port }, 'narrow');
  await until(() => live.isLive('narrow'), 'live');
  const viewer = await watch('narrow');
  line.toServer.set({ rateBps: halfBps, queueMs: 300 });
  await hears(viewer, 3, await viewer.facts());
  await viewer.page.evaluate('call.longestGapMs = 0');
  const { overflowed } = line.toServer.queue;
  const settled = await viewer.facts();
  await hears(viewer, 5, settled);
  const during = await viewer.facts();
  expect(since(settled, during).frames).toBeGreaterThan(15);
  expect(during.longestGapMs).toBeLessThan(2000);
  // The queue in front of the line has room, since the publisher does not fill it any more.
  expect(line.toServer.queue.overflowed - overflowed).toBeLessThan(40);
  line.toServer.set({ rateBps: Number.POSITIVE_INFINITY });
  const restored = await viewer.facts();
  await hears(viewer, 3, restored);
  expect(since(restored, await viewer.facts()).frames).toBeGreaterThan(20);
  await page.close();
});
