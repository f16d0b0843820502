import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { Publisher } from '../../media/fixtures/ffmpeg.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, openPage, videoIs } from '../fixtures/browser.fixture.ts';
import { pagesOfFile } from '../fixtures/pages.fixture.ts';

const pages = pagesOfFile();

const playing = (page: Page) => page.locator('[data-phase="playing"]').waitFor();
const line = (page: Page) => page.getByRole('slider', { name: 'Position' });
const liveButton = (page: Page, pressed: boolean) => page.getByRole('button', { name: 'Live', exact: true, pressed });

/** Seconds behind live, as the page says; 0 while it is live. */
async function behind(page: Page): Promise<number> {
  const text = (await line(page).getAttribute('aria-valuetext')) ?? '';
  const [, hours = 0, minutes = 0, seconds = 0] = /(?:(\d+):)?(\d+):(\d+) behind live/.exec(text) ?? [];
  return 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
}

async function call(path: string, body: object = {}) {
  const { code, data } = await pages.live.post(`/terraform/v1/${path}`, body);
  expect([path, code]).toEqual([path, 0]);
  return data;
}

async function keptSeconds(): Promise<number> {
  const { windows } = await call('hooks/rewind/query');
  return windows[0] ? (Date.parse(windows[0].to) - Date.parse(windows[0].from)) / 1000 : 0;
}

it('a viewer goes back by key and time line, watches faster, returns to live, and sees the replay after the end', async () => {
  await call('mgmt/hlsll/update', { hlsLowLatency: true });
  const { id } = await call('hooks/rewind/save', { pattern: '/live/back', windowSeconds: 600 });
  onTestFinished(() => call('hooks/rewind/remove', { id }));
  const { playback } = await call('mgmt/watch/update', { app: 'live', stream: 'back', page: {} });
  const publisher = new Publisher(pages.live.publishUrl('back'));
  onTestFinished(() => publisher.stop('SIGKILL'));
  await until(async () => (await keptSeconds()) >= 30, 'something to go back to');

  const { page, faults, hosts } = await openPage(pages.browser);
  onTestFinished(() => page.context().close());
  await page.goto(`${pages.live.weir.origin}/watch/${playback}`);
  await playing(page);
  await liveButton(page, true).waitFor();
  expect(await behind(page)).toBe(0);

  await page.keyboard.press('j');
  await liveButton(page, false).waitFor();
  await page.locator('[data-phase="playing"][data-source="hls"]').waitFor();
  expect(await behind(page)).toBeGreaterThanOrEqual(9);
  // The start of what is kept is 0.
  await videoIs(page, 'video.currentTime > 5');
  await expectAccessible(page);

  await line(page).fill('0');
  await until(async () => (await behind(page)) >= 25, 'the start of what is kept');
  // The thumb rests before the video follows.
  await page.locator('output').waitFor({ state: 'detached' });
  await videoIs(page, '!video.seeking && video.readyState >= 3');
  const atStart = await behind(page);
  await line(page).press('ArrowRight');
  // Playing alone never comes closer to live. A busy machine may stop the video for a moment.
  await until(async () => (await behind(page)) <= atStart - 5, 'ten seconds forward');
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('0.5');
  expect(await page.evaluate('document.querySelector("video").playbackRate')).toBe(0.5);
  await expectNoSidewaysScroll(page);

  await liveButton(page, false).click();
  await liveButton(page, true).waitFor();
  await playing(page);
  expect(await behind(page)).toBe(0);
  expect(await page.evaluate('document.querySelector("video").defaultPlaybackRate')).toBe(1);

  await publisher.stop('SIGKILL');
  await page.getByText('Replay', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Live', exact: true }).count()).toBe(0);
  // In the middle of the picture, and among the controls.
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await playing(page);
  await videoIs(page, 'video.currentTime > 1');
  await page.getByText(/^\d+:\d\d \/ \d+:\d\d$/).waitFor();
  await expectAccessible(page);
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([new URL(pages.live.weir.origin).host]);
});
