import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { until } from '../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './fixtures/browser.fixture.ts';
import { scenarioOfFile } from './fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();

const openTab = (locale: string, options?: BrowserContextOptions) => scenario.openTab('forward', locale, options);
const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

it('a destination is added for a live stream, goes live with it, is turned off and on, and is kept across a reload', async () => {
  const publisher = new Publisher(scenario.live.publishUrl('show'));
  try {
    await until(() => scenario.live.isLive('show'), 'the source plays');
    const { page, faults } = await openTab('en');
    await page.getByText('Send a live stream on to YouTube').waitFor();
    await page.getByRole('button', { name: 'Add destination' }).first().click();
    const sheet = page.getByRole('dialog', { name: 'Add destination' });
    await sheet.getByRole('radio', { name: 'live/show' }).click();
    await sheet.getByLabel('Quality').selectOption('720p');
    await sheet.getByRole('radio', { name: 'YouTube' }).click();
    await sheet.getByRole('button', { name: 'Change' }).click();
    const address = sheet.getByLabel('YouTube server address');
    await address.fill('');
    await sheet.getByRole('button', { name: 'Start', exact: true }).click();
    await sheet.getByText('Enter the server address.').waitFor();
    await expectAccessible(page);
    await address.fill(`rtmp://127.0.0.1:${scenario.live.weir.rtmpPort}/live`);
    await sheet.getByLabel('Stream key', { exact: true }).fill(`copy?secret=${scenario.live.secret}`);
    await sheet.getByRole('button', { name: 'Save without starting' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    expect((await scenario.live.post('/terraform/v1/ffmpeg/forward/streams')).data).toMatchObject([{ enabled: false }]);
    const { data } = await scenario.live.post('/terraform/v1/ffmpeg/forward/secret');
    expect(Object.values(data)).toMatchObject([{ quality: '720p' }]);
    await sheet.waitFor({ state: 'hidden' });

    const row = rowOf(page, 'YouTube');
    await row.getByText('Off', { exact: true }).waitFor();
    const toggle = row.getByRole('switch', { name: 'YouTube' });
    await toggle.press('Space');
    await row.getByText('Live', { exact: true }).waitFor();
    await until(() => scenario.live.isLive('copy'), 'the copy plays');
    await row.getByText('live/show').waitFor();
    // The picture of the source, not a drawn one.
    await row.locator('img').waitFor();
    // A rate, once the burst of the start is over.
    await row.getByText(/^[\d.,]+\s[Mk]bit\/s$/).waitFor();
    await row.getByRole('button', { name: 'More for YouTube' }).click();
    await page.getByRole('menuitem', { name: 'Log' }).click();
    const log = page.getByRole('dialog', { name: 'Log: YouTube' });
    await log.waitFor();
    expect(await log.textContent()).not.toContain(scenario.live.secret);
    await page.keyboard.press('Escape');

    await page.reload();
    await row.getByText('Live', { exact: true }).waitFor();
    await expectAccessible(page);
    await toggle.press('Space');
    await row.getByText('Off', { exact: true }).waitFor();
    await until(async () => !(await scenario.live.isLive('copy')), 'the copy is over');
    expect(faults).toEqual([]);
    await page.context().close();
  } finally {
    await publisher.stop();
  }
});

it('a destination that cannot be reached is reported in Chinese, with what to do, is mended in place and removed after a question', async () => {
  const { page, faults } = await openTab('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await page.getByRole('button', { name: '添加目标' }).click();
  const sheet = page.getByRole('dialog', { name: '添加目标' });
  await sheet.getByRole('radio', { name: '其他流' }).click();
  await sheet.getByRole('textbox', { name: '源流' }).fill('another');
  await sheet.getByRole('radio', { name: '其他服务器' }).click();
  await sheet.getByLabel('推流地址').fill('rtmp://127.0.0.1:9/live');
  await expectNoSidewaysScroll(page);
  await sheet.getByRole('button', { name: '开始', exact: true }).click();
  await sheet.waitFor({ state: 'hidden' });
  const row = rowOf(page, '转推 #4');
  await row.getByText('等待源流', { exact: true }).waitFor();
  const publisher = new Publisher(scenario.live.publishUrl('another'));
  try {
    await row.getByText('连接被拒绝。').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    // Its remedy stands in the row: correct the address.
    await row.getByRole('button', { name: '编辑' }).click();
    const edit = page.getByRole('dialog', { name: '编辑目标' });
    await edit.getByLabel('推流地址').fill(`rtmp://127.0.0.1:${scenario.live.weir.rtmpPort}/live`);
    await edit.getByLabel('推流码').fill(`mended?secret=${scenario.live.secret}`);
    await edit.getByRole('button', { name: '保存并重启' }).click();
    await until(() => scenario.live.isLive('mended'), 'the mended destination plays');
    await row.getByText('运行中', { exact: true }).waitFor();
    await row.getByText('连接被拒绝。').waitFor({ state: 'hidden' });
  } finally {
    await publisher.stop();
  }
  await row.getByRole('button', { name: /的更多操作$/ }).click();
  await page.getByRole('menuitem', { name: '移除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '移除' }).click();
  await row.waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await page.context().close();
});
