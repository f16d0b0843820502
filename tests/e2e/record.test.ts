import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../media/fixtures/live.fixture.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openPage,
  type Watched,
} from './fixtures/browser.fixture.ts';

let browser: Browser;
let live: Live;
let publisher: Publisher | undefined;

beforeAll(async () => {
  [browser, live] = await Promise.all([launchBrowser(), Live.start()]);
  // Short segments: what is published is recorded seconds later.
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
});
afterAll(async () => {
  await publisher?.stop();
  await Promise.all([browser.close(), live.close()]);
});

async function openRecord(locale: string, options: Parameters<typeof openPage>[1] = {}): Promise<Watched> {
  const { data } = await live.weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  const watched = await openPage(browser, options);
  watched.page.setDefaultTimeout(40_000);
  await watched.page.addInitScript((value) => localStorage.setItem('SRS_TERRAFORM_TOKEN', value), JSON.stringify(data));
  await watched.page.goto(`${live.weir.origin}/mgmt/${locale}/routers-scenario?tab=record`);
  return watched;
}

const ofVideo = async (page: Page, fact: string) =>
  page.evaluate(`(() => { const video = document.querySelector('video'); return video ? ${fact} : undefined; })()`);
const whilePlaying = { timeout: 60_000, interval: 200 };

/** Goes to a moment and waits until the picture there is shown. */
async function seek(page: Page, seconds: number): Promise<void> {
  await ofVideo(page, `void (video.currentTime = ${seconds})`);
  await expect.poll(() => ofVideo(page, 'video.readyState >= 2 && !video.seeking'), whilePlaying).toBe(true);
  await expect.poll(() => ofVideo(page, 'video.currentTime'), whilePlaying).toBeGreaterThanOrEqual(seconds);
}

/** Whoever has the link, without signing in: it plays to its last second, and any moment can be sought. */
async function expectWatchable(link: string): Promise<void> {
  const { page, faults } = await openPage(browser);
  await page.goto(link);
  await expect.poll(() => ofVideo(page, 'video.readyState'), whilePlaying).toBeGreaterThanOrEqual(2);
  // A browser may refuse sound before the first touch of a page: then the viewer presses play.
  await ofVideo(page, 'void (video.paused && video.play())');
  await expect.poll(() => ofVideo(page, 'video.currentTime'), whilePlaying).toBeGreaterThan(0.5);
  await seek(page, Number(await ofVideo(page, 'video.duration')) - 1);
  await seek(page, 0.2);
  expect(faults).toEqual([]);
  await page.context().close();
}

it('records what is published, plays it while it grows and when it is done, and deletes all of it and nothing else', async () => {
  const { page, faults, hosts } = await openRecord('en');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await page.getByRole('button', { name: 'Stop recording' }).waitFor();
  await page.getByRole('button', { name: 'Recordings', exact: true }).click();
  await page.getByText('No recordings yet').waitFor();
  await expectAccessible(page);

  publisher = new Publisher(live.publishUrl('show'));
  const rows = page.getByRole('table', { name: 'Recordings' }).getByRole('row', { name: /live\/show/ });
  const row = rows.first();
  await row.getByText('Recording', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Play live/show' }).click();
  await expect.poll(() => ofVideo(page, 'video.currentTime'), whilePlaying).toBeGreaterThan(0.5);
  const before = Number(await ofVideo(page, 'video.duration'));
  expect(before).toBeLessThan(120);
  await expect.poll(() => ofVideo(page, 'video.duration'), whilePlaying).toBeGreaterThan(before);
  await seek(page, 0);
  await seek(page, before - 1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close player' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // Its stream goes on, so that the next recording begins: what follows must leave that one alone.
  const [first] = (await live.post('/terraform/v1/hooks/record/files')).data;
  await row.getByRole('button', { name: 'More actions for live/show' }).click();
  await page.getByRole('menuitem', { name: 'End recording' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End recording' }).click();
  const done = rows.filter({ hasText: 'Done' });
  await done.waitFor();
  await rows.filter({ hasText: 'Recording' }).waitFor();
  await done.locator('img').waitFor();
  await expect
    .poll(() => page.evaluate('[...document.querySelectorAll("table img")].at(-1).naturalWidth'), whilePlaying)
    .toBeGreaterThan(0);
  await publisher.stop();

  await done.getByRole('button', { name: 'Play live/show' }).click();
  await expect.poll(() => ofVideo(page, 'video.currentTime'), whilePlaying).toBeGreaterThan(0.5);
  expect(await ofVideo(page, 'video.currentSrc')).toMatch(/\/index\.mp4\?sign=/);
  expect(Number(await ofVideo(page, 'video.duration'))).toBeGreaterThanOrEqual(before);
  await seek(page, before - 1);
  const dialog = page.getByRole('dialog', { name: 'live/show' });
  await expectWatchable(await dialog.getByLabel('Watch page', { exact: true }).inputValue());
  await page.getByRole('button', { name: 'Close player' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const download = page.waitForEvent('download');
  await done.getByRole('button', { name: 'More actions for live/show' }).click();
  await page.getByRole('menuitem', { name: 'Download MP4' }).click();
  expect((await download).suggestedFilename()).toMatch(/^live-show-.*\.mp4$/);

  const home = join(live.weir.dataDir, 'record');
  expect(existsSync(join(home, first.uuid, 'index.mp4'))).toBe(true);
  await page.getByLabel('Select the finished recording').check();
  await page.getByRole('button', { name: /^Delete 1 recording, / }).click();
  await page
    .getByRole('dialog', { name: /^Delete 1 recording, / })
    .getByRole('button', { name: 'Delete' })
    .click();
  await done.waitFor({ state: 'detached' });
  expect(existsSync(join(home, first.uuid))).toBe(false);
  const [other = ''] = readdirSync(home);
  expect(readdirSync(home)).toHaveLength(1);

  // Of one that nobody watches only the file is kept, and the playlist plays out of it.
  await live.post('/terraform/v1/hooks/record/end', { uuid: other });
  await rows.filter({ hasText: 'Done' }).waitFor();
  const names = () => readdirSync(join(home, other)).sort();
  await expect.poll(names, whilePlaying).toEqual(['index.jpg', 'index.mp4', 'segments.log']);
  const { data: link } = await live.post('/terraform/v1/hooks/record/sign', { uuid: other });
  await expectWatchable(
    `${live.weir.origin}/tools/player.html?url=${encodeURIComponent(live.weir.origin + link.m3u8)}`,
  );
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([new URL(live.weir.origin).host]);
  await page.context().close();
}, 180_000);

it('fits a phone in Chinese and in the dark: rules with a preview, storage, and a card for each recording', async () => {
  publisher = new Publisher(live.publishUrl('手机'));
  await live.post('/terraform/v1/hooks/record/apply', { all: true });
  const { page, faults } = await openRecord('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await page.getByRole('button', { name: '播放 live/手机' }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  await page.getByRole('button', { name: '规则', exact: true }).click();
  const rules = page.getByRole('region', { name: '规则' });
  await rules.getByText('录制中', { exact: true }).waitFor();
  await page.getByLabel('流匹配规则').fill('/live/手*\n/live/x');
  // Not saved yet.
  await rules.getByText('开启后录制，匹配规则：/live/手*').waitFor();
  await page.getByRole('button', { name: '测试规则' }).click();
  await page.getByLabel('要测试的地址').fill('rtmp://host/live/y');
  await page.getByRole('button', { name: '测试地址', exact: true }).click();
  await page.getByText('失败！地址 rtmp://host/live/y 没有匹配任何规则！').waitFor();
  await page.getByRole('button', { name: '保存规则' }).click();
  await expect
    .poll(async () => (await live.post('/terraform/v1/hooks/record/query')).data.globs)
    .toEqual(['/live/手*', '/live/x']);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  await page.getByRole('button', { name: '存储', exact: true }).click();
  await page.getByLabel('录制总大小上限').fill('1.5');
  await page.getByRole('button', { name: '保存存储规则' }).click();
  await expect
    .poll(async () => (await live.post('/terraform/v1/hooks/record/query')).data.rule.quotaBytes)
    .toBe(1_500_000_000);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
