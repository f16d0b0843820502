import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inputs, Publisher } from '../media/ffmpeg.fixture.ts';
import { Live } from '../media/live.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openPage } from './browser.fixture.ts';

let browser: Browser;
let live: Live;
let session: object;
beforeAll(async () => {
  [browser, live] = await Promise.all([launchBrowser(), Live.start()]);
  session = (await live.weir.post('/terraform/v1/mgmt/login', { password: 'the password' })).data;
});
afterAll(() => Promise.all([browser.close(), live.close()]));

async function openTab(locale: string, options: Parameters<typeof openPage>[1] = {}) {
  const watched = await openPage(browser, options);
  const stored = JSON.stringify(session);
  await watched.page.addInitScript((value) => localStorage.setItem('SRS_TERRAFORM_TOKEN', value), stored);
  await watched.page.goto(`${live.weir.origin}/mgmt/${locale}/routers-scenario?tab=transcode`);
  return watched;
}

it('a stream is transcoded, watched in place, found again after a reload, and stopped', async () => {
  const { page, faults } = await openTab('en');
  const status = page.getByRole('region', { name: 'Status' });
  await status.getByText('Off', { exact: true }).first().waitFor();
  await page.getByLabel('Video bitrate').fill('50');
  await page.getByRole('button', { name: 'Start transcoding' }).click();
  await page.getByText('“50” is not possible here. Enter a whole number from 100 to 100000.').waitFor();
  await page.getByLabel('Video bitrate').fill('300');
  await page.getByLabel('Video preset').selectOption('ultrafast');
  await page.getByLabel('Output server').fill(live.rtmp('').replace(/\/$/, ''));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await status.getByText('Off', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Start transcoding' }).click();
  await status.getByText('Waiting for a source').waitFor();

  const publisher = new Publisher(live.publishUrl('livestream'), inputs.both);
  await page.getByRole('button', { name: 'Status' }).click();
  await status.getByText('Live', { exact: true }).first().waitFor({ timeout: 40_000 });
  await status.getByText('live/livestream', { exact: true }).waitFor();
  await status.getByText(live.rtmp('livestream-trans', '?secret=***')).waitFor();
  await status.getByRole('button', { name: 'Play' }).first().click();
  await expect
    .poll(() => page.evaluate<number>("document.querySelector('video').currentTime"), { timeout: 30_000 })
    .toBeGreaterThan(1);

  await page.reload();
  await status.getByText('Live', { exact: true }).first().waitFor();
  await expectAccessible(page);
  await status.getByRole('button', { name: 'Log of Transcode' }).click();
  await page
    .getByRole('dialog')
    .getByText(/started$/m)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  expect(await page.getByLabel('Video bitrate').inputValue()).toBe('300');
  await page.getByRole('button', { name: 'Stop transcoding' }).click();
  await status.getByText('Off', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
  await publisher.stop();
  await page.context().close();
}, 120_000);

it('Chinese readers have all of it in Chinese, on a telephone too', async () => {
  const { page, faults } = await openTab('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await page.getByLabel('视频码率').waitFor();
  await page.getByRole('region', { name: '状态' }).getByText('已停止', { exact: true }).waitFor();
  await page.getByLabel('视频码率').fill('1');
  await page.getByRole('button', { name: '开始转码' }).click();
  await page.getByText('“1”无效，请输入 100 到 100000 的整数。').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
