import Hls, { LevelDetails } from 'hls.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openHls } from './hls-playback.ts';

class MediaSourceOfABrowser extends EventTarget {
  static isTypeSupported = () => true;
}

beforeEach(() => vi.stubGlobal('MediaSource', MediaSourceOfABrowser));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** hls.js configured as on our pages, without a playlist. */
async function begun(): Promise<Hls> {
  let found: Hls | undefined;
  vi.spyOn(Hls.prototype, 'attachMedia').mockImplementation(() => undefined);
  vi.spyOn(Hls.prototype, 'loadSource').mockImplementation(function (this: Hls) {
    found = this;
  });
  const request = { video: document.createElement('video'), events: { onFailure: () => undefined } };
  const { signal } = new AbortController();
  await openHls({ ...request, url: 'http://weir.test/live/a.m3u8', signal });
  if (!found) throw new Error('nothing was opened');
  return found;
}

it.each([
  ['low-latency HLS as its parts allow', { holdBack: 6, partHoldBack: 1 }, 1],
  ['HLS as its playlist says', { holdBack: 6, partHoldBack: 0 }, 6],
  ['HLS two segments behind where nothing is said', { holdBack: 0, partHoldBack: 0 }, 4],
])('plays %s', async (_title, said, seconds) => {
  const hls = await begun();
  Object.defineProperty(hls, 'latestLevelDetails', { value: { ...said, targetduration: 2 } });
  expect([hls.config.lowLatencyMode, hls.targetLatency, hls.maxLatency]).toEqual([true, seconds, 20]);
  hls.destroy();
});

it('seeks to the live edge of low-latency HLS when it is five seconds further behind than its parts allow', async () => {
  const hls = await begun();
  const update = (partHoldBack: number) => {
    const details = Object.assign(new LevelDetails('http://weir.test/live/a.m3u8'), {
      partHoldBack,
      targetduration: 2,
    });
    Object.defineProperty(hls, 'latestLevelDetails', { value: details, configurable: true });
    Object.defineProperty(hls, 'levels', { value: [{ details }], configurable: true });
    hls.emit(Hls.Events.LEVEL_UPDATED, Hls.Events.LEVEL_UPDATED, { details, level: 0 });
    return hls.maxLatency;
  };
  expect([update(1), update(1.4), update(0)]).toEqual([6, 6.4, 20]);
  hls.destroy();
});
