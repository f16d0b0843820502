// Two video and two audio tracks of one RTMP publisher in players: npm run bench -- tracks
// hls.js is in the tests as well (tests/media/webrtc/qualities.test.ts); Shaka is no dependency. A page plays ordinary and low-latency HLS, changes
// the audio, then the video, then the audio back. What it hears is known by its pitch.
import type { Page } from 'playwright-core';
import { Replay } from '../tests/media/fixtures/replay.fixture.ts';
import { pitchProbe } from '../tests/media/fixtures/tone/pitch-probe.fixture.ts';
import { pitches, recordTracks } from '../tests/media/fixtures/tracks.fixture.ts';
import { until } from '../tests/weir.fixture.ts';
import { type PlayerLibrary, readPlayerLibrary } from './playback/player-libraries.ts';
import { openStage } from './playback/stage.ts';
import { BenchResult } from './results.ts';

const name = 'tracks';

/** Scripts that play `url` in `video`, and define what the page is asked for and told. */
const players: Record<PlayerLibrary, string> = {
  'hls.js': `
    const hls = new Hls({ lowLatencyMode: true });
    hls.on(Hls.Events.ERROR, (_, { details, fatal }) => fatal && errors.push(details));
    hls.loadSource(url);
    hls.attachMedia(video);
    window.heights = () => hls.levels.map(({ height }) => height);
    window.languages = () => hls.audioTracks.map(({ lang }) => lang);
    window.hear = (language) => (hls.audioTrack = hls.audioTracks.findIndex(({ lang }) => lang === language));
    window.see = (height) => (hls.currentLevel = hls.levels.findIndex((level) => level.height === height));`,
  Shaka: `
    shaka.polyfill.installAll();
    const player = new shaka.Player();
    player.addEventListener('error', ({ detail }) => errors.push('code ' + detail.code));
    player.configure({ abr: { enabled: false } });
    player.attach(video).then(() => player.load(url)).catch((error) => errors.push('code ' + error.code));
    window.heights = () => [...new Set(player.getVariantTracks().map(({ height }) => height))];
    window.languages = () => [...new Set(player.getAudioTracks().map(({ language }) => language))];
    window.hear = (language) => player.selectAudioTrack(player.getAudioTracks().find((track) => track.language === language));
    window.see = (height) => {
      const { language } = player.getVariantTracks().find(({ active }) => active);
      player.selectVariantTrack(player.getVariantTracks().find((track) => track.height === height && track.language === language), true);
    };`,
};

const result = new BenchResult('tracks');
const stage = await openStage(undefined);
const { live, browser } = stage;

async function play(player: PlayerLibrary, url: string): Promise<Page> {
  const page = await browser.newPage();
  // A page without an origin may not read from this machine.
  await page.goto(`${live.weir.origin}/terraform/v1/mgmt/versions`);
  await page.setContent('<video autoplay playsinline width="320"></video>');
  await page.addScriptTag({ content: readPlayerLibrary(player) });
  await page.evaluate(`window.errors = [];window.video = document.querySelector('video');0`);
  await page.evaluate(`(() => { const url = ${JSON.stringify(url)};${players[player]}${pitchProbe} })()`);
  return page;
}

/** Time until it is so, in ms. */
async function took(page: Page, isSo: string, what: string): Promise<number> {
  const from = performance.now();
  await until(() => page.evaluate<boolean>(isSo), what, 40_000);
  return Math.round(performance.now() - from);
}

const replay = await Replay.start(live.weir.rtmpPort, `${name}?secret=${live.secret}`, recordTracks());
try {
  for (const ending of ['.m3u8', '.ll.m3u8']) {
    const url = live.http(name, ending);
    const isWhole = async () => {
      const master = await (await fetch(url)).text();
      return master.match(/RESOLUTION=/g)?.length === 2 && master.includes('URI="');
    };
    await until(isWhole, 'all tracks', 60_000);
    for (const player of ['hls.js', 'Shaka'] as const) {
      const page = await play(player, url);
      const hears = (hertz: number) => took(page, `Math.abs(hertz() - ${hertz}) < 30`, `${player} plays ${hertz} Hz`);
      await hears(pitches.english);
      const heights = await page.evaluate<number[]>('heights()');
      const languages = await page.evaluate<string[]>('languages()');
      await page.evaluate(`hear('de');0`);
      const germanMs = await hears(pitches.german);
      await page.evaluate('see(180);0');
      const smallMs = await took(page, 'video.videoWidth === 320', 'the small video');
      await hears(pitches.german);
      await page.evaluate(`hear('en');0`);
      const englishMs = await hears(pitches.english);
      const errors = await page.evaluate<string[]>('errors');
      result.add({
        player,
        ending,
        heights: heights.sort((a, b) => a - b),
        languages,
        germanMs,
        smallMs,
        englishMs,
        errors,
      });
      await page.close();
    }
  }
} finally {
  await replay.stop();
  await stage.close();
}
