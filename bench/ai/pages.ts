import { launchBrowser, openPage, videoIs } from '../../tests/e2e/fixtures/browser.fixture.ts';
import { Publisher } from '../../tests/media/fixtures/ffmpeg.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import type { BenchResult } from '../results.ts';
import { humanFilm } from './films.ts';
import { followCues, type Said } from './follow-cues.ts';
import { FrameWatch } from './frames.ts';
import { quantile, startProduct, transcribe } from './product.ts';
import { firstShown, watchScreen } from './screen-watch.ts';

/** Long sentences and short ones. */
const fewPrompts = ['demo-congrats', 'ss-noservice', 'tt-allbusy'];
const morePrompts = ['demo-abouttotry', 'demo-echotest', 'demo-nogo', 'queue-periodic-announce'];

/** Delay from the end of a word group to its text on the screen, for each way of playing. */
export async function pages(result: BenchResult, isQuick: boolean): Promise<void> {
  const film = humanFilm(isQuick ? fewPrompts : [...fewPrompts, ...morePrompts]);
  const [live, browser] = await Promise.all([startProduct(), launchBrowser()]);
  const publisher = new Publisher(live.publishUrl('said'), ['-stream_loop', '-1', '-i', film.path, '-c', 'copy']);
  const addresses = {
    'HTTP-FLV': `/tools/player.html?url=${live.http('said', '.flv')}`,
    'LL-HLS': `/tools/player.html?url=${live.http('said', '.ll.m3u8')}`,
    WebRTC: '/players/whep.html?autostart=true&stream=said',
  };
  try {
    await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
    await transcribe(live, ['live/said']);
    await until(() => live.isLive('said'), 'live');
    const frames = await FrameWatch.open(live.http('said', '.flv'));
    const said = new Map<string, Said>();
    void followCues(live.http('said', '.cues'), said);
    await until(() => said.size > 0, 'something is understood', 120_000);
    // Sequential: three players on one core would disturb each other.
    for (const [name, address] of Object.entries(addresses)) {
      const { page } = await openPage(browser);
      await page.goto(live.weir.origin + address);
      await videoIs(page, 'video.currentTime > 1 && video.videoWidth > 0');
      const screens = await watchScreen(page);
      const fromMs = nowMs() - frames.zeroMs;
      const spoken = () => [...said.values()].filter(({ startMs }) => startMs > fromMs);
      const toMs = fromMs + 1000 * film.seconds;
      await until(() => spoken().some(({ endMs }) => endMs > toMs), 'all of the film is said', 4000 * film.seconds);
      const seen = await screens();
      await page.context().close();
      const groups = spoken().filter(({ endMs }) => endMs <= toMs);
      const delays = groups.flatMap(({ startMs, endMs, text }) => {
        const at = firstShown(seen, text, frames.zeroMs + startMs);
        return at === undefined ? [] : [at - frames.zeroMs - endMs];
      });
      const [p50, p95] = [0.5, 0.95].map((share) => (quantile(delays, share) / 1000).toFixed(2));
      result.add(
        { page: name, p50Seconds: Number(p50), p95Seconds: Number(p95), shown: delays.length, groups: groups.length },
        `${name}: text p50 ${p50} s, p95 ${p95} s after the word group ended, ${delays.length} of ${groups.length}`,
      );
    }
    frames.close();
  } finally {
    await publisher.stop('SIGKILL');
    await browser.close();
    await live.close();
  }
}

const nowMs = () => performance.timeOrigin + performance.now();
