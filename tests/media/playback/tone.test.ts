import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import type { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { decodeSound } from '../fixtures/tone/decoded-sound.fixture.ts';
import { analyseTone } from '../fixtures/tone/tone-analysis.fixture.ts';
import { freeUdpPort } from '../fixtures/udp-proxy.fixture.ts';
import { publishByWhip, publishClip, toneHz } from '../fixtures/viewer/broadcast.fixture.ts';
import { launchViewers, Viewer } from '../fixtures/viewer/viewer.fixture.ts';
import { toneFaultsOf } from '../fixtures/viewer/viewer-faults.fixture.ts';

let live: Live;
let browser: Browser;
let publishers: Publisher[] = [];

beforeAll(async () => {
  const port = await freeUdpPort();
  [live, browser] = await Promise.all([
    Live.start({ WEIR_RTC_LISTEN: `127.0.0.1:${port}`, RTC_PORT: String(port) }),
    launchViewers(),
  ]);
  const { rtmpPort, srtPort, origin } = live.weir;
  const to = { rtmpPort, srtPort, secret: live.secret };
  publishers = [
    publishClip('rtmp', 'aac-441', { sampleRate: 44_100, hasBFrames: false }, to),
    publishClip('rtmp', 'mp3-441', { sampleRate: 44_100, hasBFrames: false, audio: 'mp3' }, to),
    publishClip('srt', 'aac-48', { sampleRate: 48_000, hasBFrames: false }, to),
  ];
  await publishByWhip(browser, { origin, secret: live.secret }, 'opus');
  for (const name of ['aac-441', 'mp3-441', 'aac-48', 'opus']) await until(() => live.isLive(name), `${name} is live`);
});
afterAll(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  await Promise.all([browser?.close(), live?.close()]);
});

const listenSeconds = 8;

// Converted streams, and beside them unconverted ones: a fault of the source or the test would show there too.
describe.concurrent('the published tone is heard without faults', () => {
  it.each([
    ['opus', 'Opus by WHIP, converted to AAC', 48_000, '.flv'],
    ['aac-441', 'AAC by RTMP, unconverted', 44_100, '.flv'],
    ['mp3-441', 'MP3 by RTMP, unconverted', 44_100, '.flv'],
    ['aac-48', 'AAC by SRT, unconverted', 48_000, '.flv'],
  ])('stream %s by HTTP-FLV (%s)', async (name, _what, sampleRate, suffix) => {
    const sound = await decodeSound(live.http(name, suffix), listenSeconds, sampleRate);
    const report = analyseTone(sound.samples, sound.sampleRate, toneHz);
    expect(report.seconds).toBeGreaterThan(listenSeconds - 1);
    expect(report.faults).toEqual([]);
    expect(report.hertz).toBeCloseTo(toneHz, 0);
  });

  it.each([
    ['aac-441', 'AAC at 44.1 kHz, converted to Opus'],
    ['mp3-441', 'MP3 at 44.1 kHz, converted to Opus'],
    ['aac-48', 'AAC at 48 kHz, converted to Opus'],
    ['opus', 'Opus by WHIP, unconverted'],
  ])('stream %s over WebRTC (%s)', async (name) => {
    const viewer = await Viewer.open(browser, 'whep', { origin: live.weir.origin, name });
    try {
      await viewer.plays(2);
      const heard = async () => {
        const sound = await viewer.listen(listenSeconds);
        return toneFaultsOf(analyseTone(sound.samples, sound.sampleRate, toneHz));
      };
      // The browser makes up for what a busy machine brings late.
      let faults = await heard();
      for (let again = 0; again < 2 && faults.length > 0; again++) faults = await heard();
      expect(faults).toEqual([]);
    } finally {
      await viewer.close();
    }
  });
});
