import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Weir } from '../weir.fixture.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openPage,
  type Watched,
} from './fixtures/browser.fixture.ts';

let browser: Browser;
let weir: Weir;
let session: object;

beforeAll(async () => {
  [browser, weir] = await Promise.all([launchBrowser(), Weir.start()]);
  session = await weir.setUp();
});
afterAll(() => Promise.all([browser.close(), weir.close()]));

async function openScenario(path: string, options: Parameters<typeof openPage>[1] = {}): Promise<Watched> {
  const watched = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'], ...options });
  await watched.page.addInitScript(
    (value) => localStorage.setItem('SRS_TERRAFORM_TOKEN', value),
    JSON.stringify(session),
  );
  await watched.page.goto(`${weir.origin}/mgmt/${path}`);
  return watched;
}

const cards = (page: Page) => page.getByRole('region', { name: /^(Tutorials|教程)$/ }).getByRole('listitem');

async function copied(page: Page, label: string): Promise<string> {
  await page.evaluate('navigator.clipboard.writeText("")');
  await page.getByRole('button', { name: `Copy ${label}`, exact: true }).click();
  const read = async () => String(await page.evaluate('navigator.clipboard.readText()'));
  await expect.poll(read).not.toBe('');
  return read();
}

it('begins with the first steps, and leads from tutorials to SRT values that are ready to paste', async () => {
  const { page, faults, hosts } = await openScenario('en/routers-scenario');
  await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Tutorials' }).click();
  await cards(page).first().waitFor();
  expect(await cards(page).count()).toBe(17);
  expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Tutorials');
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Others' }).click();
  await page.getByRole('button', { name: 'Low-latency streaming over SRT' }).click();
  await page.getByRole('textbox', { name: 'Keyframe interval (s)' }).waitFor();
  await page.getByRole('button', { name: 'vMix' }).click();
  expect(await copied(page, 'Hostname')).toBe('127.0.0.1');
  expect(await copied(page, 'Publish Stream ID')).toMatch(/^#!::r=live\/livestream\?secret=\w+,m=publish$/);
  await page.getByRole('button', { name: 'Give the stream a new name' }).click();
  expect(await copied(page, 'Playback Stream ID')).toMatch(/^#!::r=live\/[a-z]{6},latency=20,m=request$/);
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Deprecated' }).click();
  await page.waitForURL(/tab=others&ctab=deprecated$/);
  await page.getByRole('button', { name: 'Cloud recording' }).click();
  await page.getByText('On the way...').waitFor();
  // The foot of every page still leads to the overview, which is no longer the first tab.
  await page
    .getByRole('complementary')
    .getByText(/alerts/i)
    .click();
  await page.getByRole('heading', { name: 'Alerts' }).waitFor();
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([new URL(weir.origin).host]);
  await page.context().close();
});

it('shows videos in Chinese without their counts and without an error when the video site is unreachable', async () => {
  const { page, faults, hosts } = await openScenario('zh/routers-scenario?tab=tutorials', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await cards(page).first().waitFor();
  expect(await cards(page).count()).toBe(12);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  await page.goto(`${weir.origin}/mgmt/zh/routers-scenario?tab=live`);
  await page.getByRole('button', { name: '视频教程' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('listitem').first().waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(4);
  await dialog.getByRole('button', { name: '关闭教程' }).click();

  for (const [ctab, section] of [
    ['srt', 'vMix'],
    ['vod', '云点播'],
  ] as const) {
    await page.goto(`${weir.origin}/mgmt/zh/routers-scenario?tab=others&ctab=${ctab}`);
    await page.getByRole('button', { name: section, exact: true, expanded: true }).waitFor();
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([new URL(weir.origin).host]);
  await page.context().close();
});
