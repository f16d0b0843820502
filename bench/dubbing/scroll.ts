import type { Page } from 'playwright-core';
import { launchBrowser, openDesk, openPage } from '../../tests/e2e/fixtures/browser.fixture.ts';
import type { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { quantile } from '../ai/product.ts';

const scrollMs = 5000;

/** Frame pacing of the studio while its list and timeline are scrolled. */
export async function scroll(live: Live, uuid: string): Promise<void> {
  const { origin } = live.weir;
  const { data: session } = await live.weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  const browser = await launchBrowser();
  try {
    const { page } = await openPage(await openDesk(browser, { origin, session }));
    await page.goto(`${origin}/mgmt/en/routers-scenario?tab=dubbing&dubbingId=${uuid}`);
    await page.getByLabel('Sentence 0', { exact: true }).waitFor();
    await page.getByLabel('Sentence 0', { exact: true }).scrollIntoViewIfNeeded();
    await frames(page, 'the list', '[aria-label="Sentences"]', 'scrollTop');
    await frames(page, 'the timeline', '[aria-label="Play position"]', 'scrollLeft');
    const nodes = await page.evaluate('document.querySelectorAll("*").length');
    console.log(`nodes of the page: ${nodes}`);
  } finally {
    await browser.close();
  }
}

/** Scrolls the box around an element for a while, 40 pixels each frame: about three sentences in four frames of ten. */
async function frames(page: Page, what: string, inside: string, property: 'scrollTop' | 'scrollLeft'): Promise<void> {
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
  console.log(
    `scrolling ${what}: ${perSecond.toFixed(1)} frames a second, p50 ${quantile(intervals, 0.5).toFixed(1)} ms, ` +
      `p95 ${quantile(intervals, 0.95).toFixed(1)} ms, at most ${Math.max(...intervals).toFixed(0)} ms, ${(late * 100).toFixed(1)} % late`,
  );
}
