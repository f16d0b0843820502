import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../media/fixtures/live.fixture.ts';
import { until } from '../weir.fixture.ts';
import { launchBrowser, videoIs } from './fixtures/browser.fixture.ts';
import { ChaosProxy } from './fixtures/chaos-proxy.fixture.ts';

let live: Live;
let browser: Browser;
let context: BrowserContext;
let publisher: Publisher;
let proxy: ChaosProxy;
let page: Page;
beforeAll(async () => {
  [live, browser] = await Promise.all([Live.start(), launchBrowser()]);
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  publisher = new Publisher(live.publishUrl('show'));
  await until(() => live.isLive('show'), 'live');
  proxy = await ChaosProxy.start(live.weir.origin);
  context = await browser.newContext();
  page = await context.newPage();
  await page.goto(`${proxy.origin}/tools/player.html?url=${proxy.origin}/live/show.m3u8`);
  await videoIs(page, 'video.currentTime > 1 && video.videoWidth === 640');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await browser.close();
  await proxy.close();
  await live.close();
});

/** A new try begins at zero again, so what counts is that it moves, whatever it says. */
async function playsFor(seconds: number, what: string): Promise<void> {
  let played = 0;
  let before = Number.NaN;
  await until(
    async () => {
      const now = (await page.evaluate("document.querySelector('video')?.currentTime ?? NaN")) as number;
      if (now > before && now - before < 2) played += now - before;
      before = now;
      return played >= seconds;
    },
    what,
    60_000,
  );
}

/** Seconds between what is shown and the newest that is there. */
const behind = () =>
  page.evaluate(
    "(() => { const v = document.querySelector('video'); return v.seekable.length ? v.seekable.end(v.seekable.length - 1) - v.currentTime : NaN; })()",
  ) as Promise<number>;

it('F20: continues through segments that are missing, broken, late and slow', async () => {
  proxy.plan = ['missing', 'none', 'broken', 'none', 'late', 'slow'];
  proxy.playlists = ['none', 'broken', 'none', 'late', 'none', 'missing'];
  await until(
    () => [proxy.served.missing, proxy.served.broken, proxy.served.late, proxy.served.slow].every((count) => count > 0),
    'faults of every kind',
    90_000,
  );
  proxy.plan = ['none'];
  proxy.playlists = ['none'];
  await playsFor(3, 'it plays after the faults');
});

it('F20: recovers by itself after a total outage', async () => {
  proxy.plan = ['broken'];
  proxy.playlists = ['missing'];
  const { broken, missing } = proxy.served;
  await until(() => proxy.served.missing > missing + 3 || proxy.served.broken > broken + 6, 'failures');
  proxy.plan = ['none'];
  proxy.playlists = ['none'];
  await playsFor(3, 'it plays again');
});

it('F22: resumes at the live edge after the network was away and after the tab slept', async () => {
  const away = async (leave: () => Promise<unknown>, back: () => Promise<unknown>, what: string) => {
    await leave();
    await new Promise((resolve) => setTimeout(resolve, 4000));
    await back();
    await playsFor(2, what);
    await until(async () => (await behind()) < 15, `${what}, near the live edge`);
  };
  await away(
    () => context.setOffline(true),
    () => context.setOffline(false),
    'after the network was away',
  );
  const cdp = await context.newCDPSession(page);
  const setState = (state: 'frozen' | 'active') => cdp.send('Page.setWebLifecycleState', { state });
  await away(
    () => setState('frozen'),
    () => setState('active'),
    'after the tab slept',
  );
  expect(await page.getByText('640 × 360').count()).toBeGreaterThan(0);
});
