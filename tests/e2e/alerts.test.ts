import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './fixtures/browser.fixture.ts';
import { scenarioOfFile } from './fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();

const saved = { platform: 'wx', server: 'rtmp://127.0.0.1:9/live', secret: 'show' };
const save = (fields: object) =>
  scenario.live.post('/terraform/v1/ffmpeg/forward/secret', { action: 'update', ...saved, ...fields });

const cardOf = (page: Page, list: string, name: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: name });

it('the overview shows live streams, and a failing forward until it works', async () => {
  const { page, faults } = await scenario.openTab('overview', 'en');
  const alerts = page.getByRole('region', { name: 'Alerts' });
  const strip = page.getByRole('complementary', { name: 'Server status' });
  const tab = page.getByRole('tab', { name: 'Forward', exact: true });
  const failing = alerts.getByText('Forwarding to YouTube is failing');
  // A machine that is busy with tests may have an alert of its own: what counts is this one.
  await alerts.getByText(/^(Nothing needs your attention\.|CPU nearly full)$/).waitFor();
  await strip.getByText(/^(No alerts|Alerts: 1)$/).waitFor();

  await page.getByText('No streams').waitFor();

  await scenario.live.post('/terraform/v1/hooks/record/apply', { all: true });
  await save({ enabled: true });
  const publisher = new Publisher(scenario.live.publishUrl('show'));
  onTestFinished(() => publisher.stop('SIGKILL'));
  await failing.waitFor();
  await alerts.getByText(/^The connection was refused\./).waitFor();
  await strip.getByText(/^Alerts: [12]$/).waitFor();
  await strip.getByText('Needs attention').waitFor();
  expect(await tab.getAttribute('data-mark')).toBe('bad');
  expect(await tab.getAttribute('title')).toBe('1 alert');

  const card = cardOf(page, 'Live streams', 'live/show');
  const picture = card.locator('img');
  await picture.waitFor();
  expect(await page.evaluate('document.querySelector("main li img").naturalWidth')).toBe(480);
  const viewer = await fetch(scenario.live.http('show', '.flv'));
  onTestFinished(() => viewer.body?.cancel());
  await card.getByText('1 viewer', { exact: true }).waitFor();
  await card.getByText('0 of 1 destination').waitFor();
  await card.getByText('Good', { exact: true }).waitFor();
  await card.getByText('Recording').waitFor();
  await card.getByRole('img', { name: /^Bitrate of the last 5 minutes, now [\d.]+/ }).waitFor();
  for (const entry of ['Live: 1', 'Viewers: 1', /^In [\d.,]+.[kM]bit/, /^Out [\d.,]+.[kM]bit/, /^CPU \d+%/]) {
    await strip.getByRole('link', { name: entry }).waitFor();
  }
  await expectAccessible(page);
  await card.getByRole('link', { name: 'live/show' }).click();
  await page.waitForURL(/tab=live&stream=live\/show$/);
  await page.goBack();

  await alerts.getByRole('link', { name: 'Open Forward' }).click();
  await page.waitForURL(/tab=forward/);
  await save({
    enabled: true,
    server: `rtmp://127.0.0.1:${scenario.live.weir.rtmpPort}/live`,
    secret: `copy?secret=${scenario.live.secret}`,
  });
  await strip.getByText(/^(No alerts|Alerts: 1)$/).click();
  await failing.waitFor({ state: 'detached' });
  await expect.poll(() => tab.getAttribute('data-mark')).toBe('ok');
  expect(faults).toEqual([]);
  await page.context().close();
});

it('a sign-in leads to the overview, which fits a phone in the dark theme', async () => {
  await save({ enabled: true });
  const publisher = new Publisher(scenario.live.publishUrl('again'));
  onTestFinished(() => publisher.stop('SIGKILL'));
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const { page, faults } = await scenario.openTab('overview', 'zh', options);
  await page.goto(`${scenario.live.weir.origin}/mgmt/zh/routers-scenario`);
  await page.getByRole('heading', { level: 1, name: '概览' }).waitFor();
  await page.getByRole('region', { name: '告警' }).getByText('转推到“视频号”失败').waitFor();
  await cardOf(page, '正在直播的流', 'live/again').locator('img').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
