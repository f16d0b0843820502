import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { until } from '../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './fixtures/browser.fixture.ts';
import { scenarioOfFile } from './fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();
const panel = (page: Page) => page.getByRole('region', { name: 'Stream keys' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

async function openKeys(locale: string, options: { viewport?: { width: number; height: number } } = {}) {
  const watched = await scenario.openTab('overview', locale, options);
  await watched.page.goto(`${scenario.live.weir.origin}/mgmt/${locale}/routers-settings?tab=auth`);
  return watched;
}

it('a key is made, publishes, is named while it does, and ends its publisher within two seconds when it is revoked', async () => {
  const { live } = scenario;
  const { page, faults } = await openKeys('en');
  await panel(page).getByRole('button', { name: 'Add key' }).click();
  const sheet = dialog(page, 'Add stream key');
  await sheet.getByLabel('Name').fill('Stage B');
  await sheet.getByLabel('Streams').fill('live/stage-*');
  await sheet.getByRole('button', { name: 'Create key' }).click();
  const shown = dialog(page, 'Stream key Stage B');
  await shown.getByLabel('Stream', { exact: true }).fill('live/stage-b');
  await expectAccessible(page);
  const secret = await shown.getByLabel('Key value', { exact: true }).inputValue();
  expect(secret).toMatch(/^[0-9a-f]{32}$/);
  expect(await shown.getByLabel('SRT URL', { exact: true }).inputValue()).toContain(
    'r=live/stage-b?secret=••••••••,m=publish',
  );
  await shown.getByRole('button', { name: 'Done' }).click();

  const url = live.rtmp('stage-b', `?secret=${secret}`);
  const publisher = new Publisher(url);
  onTestFinished(() => publisher.stop('SIGKILL'));
  await until(() => live.isLive('stage-b'), 'live');
  await panel(page).getByText('In use').waitFor();
  await panel(page).getByRole('link', { name: 'live/stage-b' }).click();
  await page
    .locator('main header')
    .getByText(/^RTMP from 127\.0\.0\.1 · Stream key “Stage B” · /)
    .waitFor();

  await page.goBack();
  await panel(page).getByRole('button', { name: 'More actions for Stage B' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const asked = dialog(page, 'Revoke stream key Stage B?');
  await asked.getByRole('button', { name: 'Revoke', exact: true }).click();
  const revokedMs = performance.now();
  await until(() => publisher.hasEnded, 'ffmpeg is disconnected');
  expect(performance.now() - revokedMs).toBeLessThan(2000);
  await panel(page).getByText('No stream keys yet').waitFor();

  const again = new Publisher(url);
  await until(() => again.hasEnded, 'ffmpeg is refused');
  await page.goto(`${live.weir.origin}/mgmt/en/routers-scenario?tab=live`);
  await page.getByText(/^Publisher rejected: stream key “Stage B” was revoked/).waitFor();
  expect(live.weir.output).not.toContain(secret);
  expect(faults).toEqual([]);
});

it('fits a phone, in Chinese', async () => {
  const keys = { name: '舞台', streams: ['live/stage-b'], protocols: ['srt'], publishers: 2 };
  await scenario.live.post('/terraform/v1/hooks/srs/keys/create', keys);
  const { page, faults } = await openKeys('zh', { viewport: { width: 390, height: 844 } });
  const list = page.getByRole('region', { name: '流密钥' });
  await list.getByText(/^SRT · 最多同时 2 路 · 创建于/).waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
});
