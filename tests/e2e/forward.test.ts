import type { BrowserContextOptions } from 'playwright-core';
import { expect, it } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { until } from '../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './fixtures/browser.fixture.ts';
import { scenarioOfFile } from './fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();

const openTab = (locale: string, options?: BrowserContextOptions) => scenario.openTab('forward', locale, options);

it('a destination is entered, saved, started, goes live with the stream, and is kept across a reload', async () => {
  const { page, faults } = await openTab('en');
  const youtube = page.getByRole('region', { name: 'YouTube', exact: true });
  const address = youtube.getByLabel('YouTube server address');
  const exampleColour = () => address.evaluate("(field) => getComputedStyle(field, '::placeholder').color");
  const grey = await exampleColour();
  await youtube.getByRole('button', { name: 'Start' }).click();
  await youtube.getByText('Enter the server address.').waitFor();
  // An example never looks like something that was typed.
  expect(await exampleColour()).toBe(grey);
  await youtube.getByLabel('YouTube server address').fill(`rtmp://127.0.0.1:${scenario.live.weir.rtmpPort}/live`);
  await youtube.getByLabel('Stream key', { exact: true }).fill(`copy?secret=${scenario.live.secret}`);
  await youtube.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  expect((await scenario.live.post('/terraform/v1/ffmpeg/forward/streams')).data).toMatchObject([{ enabled: false }]);

  const publisher = new Publisher(scenario.live.publishUrl('show'));
  try {
    await youtube.getByRole('button', { name: 'Start' }).click();
    await youtube.getByRole('button', { name: 'Stop' }).waitFor();
    await youtube.getByText('Live', { exact: true }).first().waitFor();
    await until(() => scenario.live.isLive('copy'), 'the copy plays');
    await youtube.getByRole('button', { name: 'Log of YouTube' }).click();
    const log = page.getByRole('dialog', { name: 'Log: YouTube' });
    await log.waitFor();
    expect(await log.textContent()).not.toContain(scenario.live.secret);
    await page.keyboard.press('Escape');

    await page.reload();
    const table = page.getByRole('table', { name: 'Status' });
    await table.getByText('live/show').waitFor();
    expect(await table.textContent()).toContain('YouTube');
  } finally {
    await publisher.stop();
  }
  await page.getByRole('table', { name: 'Status' }).getByText('Waiting for a source').waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

it('a destination that cannot be reached is reported in Chinese, with what to do, and is removed after a question', async () => {
  const { page, faults } = await openTab('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const slot = page.locator('section[data-key="4"]');
  expect(await slot.count()).toBe(0);
  await page.getByRole('button', { name: '添加目标' }).click();
  await page.getByRole('menuitem', { name: '其他服务器' }).click();
  // An opened item has its head in view, below the top bar.
  await expect.poll(async () => (await slot.boundingBox())?.y).toBeGreaterThanOrEqual(50);
  expect((await slot.boundingBox())?.y).toBeLessThan(844);
  await slot.getByLabel('推流地址').fill('rtmp://127.0.0.1:9/live');
  await slot.getByLabel('源流').fill('another');
  await slot.getByRole('button', { name: '开始' }).click();
  const publisher = new Publisher(scenario.live.publishUrl('another'));
  try {
    await slot.getByText('连接被拒绝。').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  } finally {
    await publisher.stop();
  }
  await slot.getByRole('button', { name: '移除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '移除' }).click();
  await slot.getByText('尚未设置').waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});
