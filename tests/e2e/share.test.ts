import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { until } from '../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, openPage, videoIs } from './fixtures/browser.fixture.ts';
import { scenarioOfFile } from './fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();
const phone = { viewport: { width: 390, height: 844 } };

async function publish(name: string): Promise<void> {
  const publisher = new Publisher(scenario.live.publishUrl(name));
  onTestFinished(() => publisher.stop('SIGKILL'));
  await until(() => scenario.live.isLive(name), 'live');
}

/** The page of a stream with its sheet for sharing. */
async function openSheet(name: string, locale: 'en' | 'zh', options: object = {}) {
  const watched = await scenario.openTab('overview', locale, options);
  const { page } = watched;
  await page.goto(`${scenario.live.weir.origin}/mgmt/${locale}/routers-scenario?tab=live&stream=live/${name}`);
  const share = locale === 'en' ? 'Share' : '分享';
  await page.getByRole('button', { name: new RegExp(`^${share}`) }).click();
  const sheet = page.getByRole('dialog', { name: `${share} live/${name}` });
  await sheet.waitFor();
  return { ...watched, sheet };
}

/** Opens a link on a phone. */
async function visit(url: string, locale: string): Promise<{ page: Page; faults: string[] }> {
  const watched = await openPage(scenario.browser, { ...phone, locale });
  onTestFinished(() => watched.page.context().close());
  await watched.page.goto(url);
  await videoIs(watched.page, 'video.currentTime > 1');
  return watched;
}

it('the owner protects a stream with a password, sends a link, and revokes it, which ends the video of a phone at once', async () => {
  await publish('party');
  const { page, sheet, faults } = await openSheet('party', 'en');
  await sheet.getByRole('radio', { name: 'People with the password' }).click();
  await sheet.getByLabel('Password', { exact: true }).fill('open sesame');
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Play access saved').waitFor();
  const { status } = await fetch(scenario.live.http('party', '.m3u8'));
  expect(status).toBe(403);
  await sheet.getByRole('button', { name: 'Make link' }).click();
  const form = sheet.getByRole('form', { name: 'Make link' });
  await form.getByLabel('Name').fill('Family');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Make link' }).click();
  const links = sheet.getByRole('list', { name: 'Links' });
  const url = await links.getByLabel('Link for viewers', { exact: true }).inputValue();
  expect(url).toMatch(/\/watch\/[a-z0-9]{16}\?token=/);
  await expectAccessible(page);

  const viewer = await visit(url, 'zh-CN');
  await links.getByText('1 watching now').waitFor();
  await links.getByRole('button', { name: 'Revoke Family' }).click();
  const asked = page.getByRole('dialog', { name: 'Revoke the link Family?' });
  await asked.getByRole('button', { name: 'Revoke', exact: true }).click();
  const revokedMs = performance.now();
  await viewer.page.getByText('此链接已失效').waitFor();
  // Two seconds after the server has the call (`watch.test.ts`), which on a busy machine comes later than the click.
  expect(performance.now() - revokedMs).toBeLessThan(4000);
  expect(await viewer.page.locator('video').count()).toBe(0);
  await expectNoSidewaysScroll(viewer.page);
  await expectAccessible(viewer.page);
  await sheet.getByText('1 expired or revoked link').waitFor();
  expect([...faults, ...viewer.faults]).toEqual([]);
});

it('links and rules fit a Chinese phone, and the sheet says which rule a stream follows', async () => {
  await publish('guest-1');
  const rule = { pattern: '/live/guest-*', mode: 'link', maxViewers: 20 };
  await scenario.live.post('/terraform/v1/mgmt/access/update', rule);
  const { page, sheet, faults } = await openSheet('guest-1', 'zh', phone);
  await sheet.getByText('此流遵循规则 /live/guest-*。').waitFor();
  await sheet.getByRole('button', { name: '创建链接' }).click();
  const form = sheet.getByRole('form', { name: '创建链接' });
  await form.getByLabel('名称').fill('媒体');
  await form.getByText('开始时间、设备、地址').click();
  await form.getByLabel('同时使用的设备').fill('2');
  await expectNoSidewaysScroll(page);
  await form.getByRole('button', { name: '创建链接' }).click();
  await sheet
    .getByRole('list', { name: '链接' })
    .getByText(/从未使用 · 有效期至 .* · 2 台设备/)
    .waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.goto(`${scenario.live.weir.origin}/mgmt/zh/routers-settings?tab=auth`);
  const panel = page.getByRole('region', { name: '观看权限' });
  await panel.getByText('持有链接的人 · 最多 20 人').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await panel.getByRole('button', { name: '/live/guest-*', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: '编辑规则 /live/guest-*' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
});
