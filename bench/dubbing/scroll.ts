import type { Page } from 'playwright-core';
import { launchBrowser, openDesk, openPage } from '../../tests/e2e/fixtures/browser.fixture.ts';
import type { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { quantile } from '../ai/product.ts';
import type { BenchResult } from '../results.ts';

const scrollMs = 5000;

/** Frame pacing of the studio while its list and timeline are scrolled. */
export async function scroll(result: BenchResult, live: Live, uuid: string): Promise<void> {
  const { origin } = live.weir;
  const { data: session } = await live.weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  const browser = await launchBrowser();
  try {
    const { page } = await openPage(await openDesk(browser, { origin, session }));
    await page.goto(`${origin}/mgmt/en/routers-scenario?tab=dubbing&dubbingId=${uuid}`);
    await page.getByLabel('Sentence 0', { exact: true }).waitFor();
    await page.getByLabel('Sentence 0', { exact: true }).scrollIntoViewIfNeeded();
    result.add({ scrolled: 'list', ...(await frames(page, '[aria-label="Sentences"]', 'scrollTop')) });
    result.add({ scrolled: 'timeline', ...(await frames(page, '[aria-label="Play position"]', 'scrollLeft')) });
    const nodes = await page.evaluate('document.querySelectorAll("*").length');
    result.add({ nodes });
  } finally {
    await browser.close();
  }
}

/** Scrolls the box around an element for a while, 40 pixels each frame: about three sentences in four frames of ten. */
async function frames(page: Page, inside: string, property: 'scrollTop' | 'scrollLeft') {
  const intervals = await page.evaluate<number[]>(`new Promise((resolve) => {
    let box = document.querySelector('${inside}');
    while (!/auto|scroll/.test(getComputedStyle(box).overflow${property === 'scrollTop' ? 'Y' : 'X'})) box = box.parentElement;
    const intervals = [];
    const began = performance.now();
    let last = began;
    const step = (now) => {
      intervals.push(now - last);
      last = now;
      box.${property} += 40;
      if (now - began < ${scrollMs}) requestAnimationFrame(step);
      else resolve(intervals.slice(5));
    };
    requestAnimationFrame(step);
  })`);
  const perSecond = (intervals.length / intervals.reduce((sum, ms) => sum + ms, 0)) * 1000;
  const late = intervals.filter((ms) => ms > 25).length / intervals.length;
  const tenths = (value: number) => Math.round(value * 10) / 10;
  return {
    framesPerSecond: tenths(perSecond),
    p50Ms: tenths(quantile(intervals, 0.5)),
    p95Ms: tenths(quantile(intervals, 0.95)),
    mostMs: Math.round(Math.max(...intervals)),
    latePercent: tenths(late * 100),
  };
}
