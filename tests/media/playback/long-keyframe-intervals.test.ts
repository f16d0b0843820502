import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import type { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { publishClip } from '../fixtures/viewer/broadcast.fixture.ts';
import { launchViewers, Viewer } from '../fixtures/viewer/viewer.fixture.ts';

/** Default of OBS: a keyframe every 250 frames, which are 8.3 s at its 30 frames a second. */
const media = { sampleRate: 48_000, hasBFrames: false, framesPerKeyframe: 208 } as const;

let live: Live;
let browser: Browser;
let publisher: Publisher;
beforeAll(async () => {
  [live, browser] = await Promise.all([Live.start(), launchViewers()]);
  const { rtmpPort, srtPort } = live.weir;
  publisher = publishClip('rtmp', 'show', media, { rtmpPort, srtPort, secret: live.secret });
  await until(() => live.isLive('show'), 'live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await Promise.all([browser?.close(), live?.close()]);
});

/** Delay behind the live edge in the statistics below the video. */
const readDelay = `[...document.querySelectorAll('dt')].find(({ textContent }) => textContent === 'Latency')?.nextElementSibling?.textContent ?? ''`;

it.each([
  ['ll-hls', 4],
  ['hls', 45],
] as const)(
  'our page plays %s of an encoder with a keyframe every 8.3 s without stalls, less than %d s behind',
  async (kind, mostSeconds) => {
    const viewer = await Viewer.open(browser, kind, { origin: live.weir.origin, name: 'show' });
    await viewer.plays(5, 90_000);
    await viewer.begin();
    await viewer.listen(20);
    const { stalledMs, mostRanges } = await viewer.report();
    const delay = await viewer.page.evaluate<string>(readDelay);
    expect({ stalledMs, mostRanges }).toEqual({ stalledMs: expect.toSatisfy((ms) => ms < 2500), mostRanges: 1 });
    expect(Number.parseFloat(delay)).toBeLessThan(mostSeconds);
    await viewer.close();
  },
);
