import { setTimeout as sleep } from 'node:timers/promises';
import { wordErrors } from '../../tests/ai/human-speech.fixture.ts';
import { fakeDevices, launchBrowser, openPage } from '../../tests/e2e/fixtures/browser.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import type { BenchResult } from '../results.ts';
import { humanFilm } from './films.ts';
import { followCues, type Said } from './follow-cues.ts';
import { startProduct, transcribe } from './product.ts';

/** In which the last words are understood. */
const lastMs = 10_000;

/** Word error rate when a browser publishes speech from its microphone. */
export async function whip(result: BenchResult, isQuick: boolean): Promise<void> {
  const film = humanFilm(isQuick ? ['ss-noservice', 'tt-allbusy'] : undefined);
  const microphone = `--use-file-for-fake-audio-capture=${film.wav}%noloop`;
  const [live, browser] = await Promise.all([startProduct(), launchBrowser([...fakeDevices, microphone])]);
  try {
    await transcribe(live, ['live/browser']);
    const { page } = await openPage(browser);
    const query = `stream=browser&secret=${live.secret}&autostart=true`;
    await page.goto(`${live.weir.origin}/players/whip.html?${query}`);
    await until(() => live.isLive('browser'), 'a browser publishes');
    const said = new Map<string, Said>();
    void followCues(live.http('browser', '.cues'), said);
    await sleep(1000 * film.seconds + lastMs);
    const text = [...said.values()].map((cue) => cue.text).join(' ');
    const { errors, words } = wordErrors(film.text, text);
    result.add(
      { words, wrongWords: errors },
      `WHIP from Chromium: ${((100 * errors) / words).toFixed(1)} % of ${words} words wrong`,
    );
  } finally {
    await browser.close();
    await live.close();
  }
}
