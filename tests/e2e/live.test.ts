import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../media/fixtures/live.fixture.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openDesk,
  openPage,
  type Watched,
} from './fixtures/browser.fixture.ts';

let browser: Browser;
let live: Live;
beforeAll(async () => {
  [browser, live] = await Promise.all([launchBrowser(), Live.start()]);
});
afterAll(() => Promise.all([browser.close(), live.close()]));

async function openGuide(locale = 'en', options: Parameters<typeof openPage>[1] = {}): Promise<Watched> {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const desk = await openDesk(
    browser,
    { origin: live.weir.origin, session: live.session },
    { permissions, ...options },
  );
  const watched = await openPage(desk);
  await watched.page.goto(`${live.weir.origin}/mgmt/${locale}/routers-scenario?tab=live`);
  return watched;
}

const panel = (page: Page) => page.getByRole('region', { name: 'Your stream' });
const shownSeconds = async (page: Page) =>
  Number(await page.evaluate('document.querySelector("video")?.currentTime ?? 0'));

function publish(url: string): Publisher {
  const publisher = new Publisher(url);
  onTestFinished(() => publisher.stop());
  return publisher;
}

/** Links of the page to this server that lead nowhere. */
async function deadLinks(page: Page): Promise<string[]> {
  const links = await page
    .locator('a[href^="/"]')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  const own = [...new Set(links)].filter((href) => href !== null).filter((href) => !href.startsWith('/mgmt/'));
  expect(own.length).toBeGreaterThan(5);
  // Unknown addresses redirect to the console, which would look like success.
  const fetchStatus = async (href: string) => (await fetch(live.weir.origin + href, { redirect: 'manual' })).status;
  const statuses = await Promise.all(own.map(fetchStatus));
  return own.filter((_href, index) => statuses[index] !== 200);
}

async function copied(page: Page, label: string): Promise<string> {
  await page.evaluate('navigator.clipboard.writeText("")');
  await page.getByRole('button', { name: `Copy ${label}`, exact: true }).click();
  await page.getByText('Copied', { exact: true }).first().waitFor();
  const read = async () => String(await page.evaluate('navigator.clipboard.readText()'));
  await expect.poll(read).not.toBe('');
  return read();
}

it('guides a new user from an address to a picture, and explains failures on the way', async () => {
  const { page, faults, hosts } = await openGuide();
  await page.getByRole('status').getByText('Waiting for your stream', { exact: true }).waitFor();

  // The published port is what the environment says; this test's server listens on a port of the system's choice.
  const server = (await copied(page, 'Server')).replace('127.0.0.1/', `127.0.0.1:${live.weir.rtmpPort}/`);
  const key = await copied(page, 'Stream key');
  expect(server + key).toBe(live.publishUrl('livestream'));
  expect(await page.getByLabel('Stream key', { exact: true }).inputValue()).not.toContain(live.secret);

  const wrong = publish(`${server}livestream?secret=wrong`);
  await panel(page).getByText('Publisher rejected: wrong publish secret').waitFor();
  await panel(page)
    .getByText(/Over RTMP from 127\.0\.0\.1/)
    .waitFor();
  await wrong.stop();

  const right = publish(server + key);
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await page.locator('video').waitFor();
  await expect.poll(() => shownSeconds(page), { timeout: 40_000 }).toBeGreaterThan(0.5);
  const before = await shownSeconds(page);
  await expect.poll(() => shownSeconds(page)).toBeGreaterThan(before + 1);
  expect(await panel(page).getByText('Publisher rejected').count()).toBe(0);
  await panel(page).getByText('Video and audio are arriving.').waitFor();
  await panel(page).getByRole('button', { name: 'Record Off' }).waitFor();
  // The console's own picture is nobody who watches.
  const viewers = panel(page).locator('dl > div', { hasText: 'Viewers' });
  expect((await viewers.textContent())?.trim()).toBe('Viewers0');
  await panel(page).getByText('Details', { exact: true }).click();
  await panel(page).getByText('RTMP from 127.0.0.1').waitFor();
  await panel(page)
    .getByText(/^H\.264 .* · 640\s×\s360 · /)
    .waitFor();
  await panel(page).getByText('AAC · 44.1 kHz · stereo').waitFor();
  await panel(page)
    .getByText(/^[\d.]+\s[kM]bit\/s$/)
    .first()
    .waitFor();

  const second = publish(server + key);
  await panel(page).getByText('Another publisher was rejected: stream name in use').waitFor();
  await second.stop();
  await expectAccessible(page);

  await right.stop();
  await panel(page)
    .getByText(/^Ended \d\d:\d\d after \d+/)
    .first()
    .waitFor();
  expect(await page.locator('video').count()).toBe(0);
  expect(await panel(page).getByText('was refused').count()).toBe(0);

  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([new URL(live.weir.origin).host]);
  await page.context().close();
});

it('fits a phone with every guide open, is accessible in the dark theme, and has no dead link', async () => {
  const { page, faults } = await openGuide('zh', { viewport: { width: 390, height: 900 }, colorScheme: 'dark' });
  const ways = page.getByRole('tablist', { name: '推流方式' }).getByRole('tab');
  await ways.first().waitFor();
  const seen = new Set<string | null>();
  for (const way of await ways.all()) {
    await way.click();
    const protocols = page.getByRole('radiogroup', { name: '协议' }).getByRole('radio');
    for (let place = 0; place < Math.max(1, await protocols.count()); place += 1) {
      if ((await protocols.count()) > 0) await protocols.nth(place).press('Space');
      seen.add(await page.locator('section[data-key]').getAttribute('data-key'));
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  }
  expect([...seen].sort()).toEqual(['1', '2', '3', '4', '5', '6', 'phone']);
  expect(await deadLinks(page)).toEqual([]);
  await page.getByRole('button', { name: '二维码：FLV 地址' }).click();
  await page.getByRole('img', { name: '二维码：FLV 地址' }).waitFor();
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
