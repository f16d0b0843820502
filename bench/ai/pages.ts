import { launchBrowser, openPage, videoIs } from '../../tests/e2e/fixtures/browser.fixture.ts';
import { watchCaptions } from '../../tests/e2e/fixtures/caption-watch.fixture.ts';
import { Publisher } from '../../tests/media/fixtures/ffmpeg.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import { humanFilm } from './films.ts';
import { FrameWatch } from './frames.ts';
import { quantile, startProduct, transcribe } from './product.ts';

/** How long after the end of a word group its text stands on the screen, for each way of playing. */
export async function pages(isQuick: boolean): Promise<void> {
  const film = humanFilm();
  const cues = isQuick ? 5 : 25;
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
    const said = new Map<string, number>();
    void followCues(live.http('said', '.cues'), said);
    // One after the other: three players on one core would wait for each other.
    for (const [name, address] of Object.entries(addresses)) {
      const { page } = await openPage(browser);
      await page.goto(live.weir.origin + address);
      await videoIs(page, 'video.currentTime > 1 && video.videoWidth > 0');
      await watchCaptions(page);
      const began = said.size;
      await until(() => said.size >= began + cues, 'cues', 240_000);
      const seen = await page.evaluate<Record<string, number>>('window.captionTimes');
      await page.context().close();
      // What was said before the page was open is of no use.
      const fresh = [...said].slice(began + 1);
      const delays = fresh.flatMap(([text, endMs]) => {
        const at = seen[text];
        return at === undefined ? [] : [at - frames.zeroMs - endMs];
      });
      const [p50, p95] = [0.5, 0.95].map((share) => (quantile(delays, share) / 1000).toFixed(2));
      console.log(
        `${name}: text p50 ${p50} s, p95 ${p95} s after the word group ended, ${delays.length} of ${fresh.length}`,
      );
    }
    frames.close();
  } finally {
    await publisher.stop('SIGKILL');
    await browser.close();
    await live.close();
  }
}

/** Each text and where it ends on the clock of the stream. A text that was said before is known at its last place. */
async function followCues(url: string, said: Map<string, number>): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (!response) return;
    let rest = '';
    for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      rest += Buffer.from(chunk).toString();
      const events = rest.split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const [, data] = /^event: cues\ndata: (.*)$/s.exec(event) ?? [];
        if (data) for (const { text, endMs } of JSON.parse(data).cues) if (!said.has(text)) said.set(text, endMs);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
