import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Live } from '../media/live.fixture.ts';
import { isAlive, until } from '../weir.fixture.ts';
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
  await watched.page.goto(`${live.weir.origin}/mgmt/${locale}/routers-settings?tab=callback`);
  return watched;
}

it('callbacks are set up, tried and found again after a reload and a restart of the server', async () => {
  const { page, faults } = await openTab('en');
  const target = page.getByLabel('Target URL');
  const example = `${live.weir.origin}/terraform/v1/mgmt/hooks/example`;
  await target.waitFor();
  expect(await target.inputValue()).toBe(`${example}?fail=false`);
  await page.getByLabel('Secret for hooks').fill('studio one');
  await page.getByLabel('Send all events').check();
  await page.getByRole('button', { name: 'Save callback settings' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText(/^The target took the test event in \d+ ms$/).waitFor();
  await page.getByRole('table', { name: 'Deliveries' }).getByText('on_test').waitFor();

  const server = live.weir.pidOf('server');
  process.kill(server, 'SIGKILL');
  await until(() => !isAlive(server), 'server gone');
  await until(async () => (await live.post('/terraform/v1/mgmt/check')).status === 200, 'server back');
  await page.reload();
  const state = page.getByRole('region', { name: 'Current state' });
  await state.getByText('Active', { exact: true }).waitFor();
  await state.getByText(`${example}?fail=false`).waitFor();
  expect(await state.getByRole('region', { name: 'Last request' }).textContent()).toContain('"opaque": "studio one"');
  expect(await state.getByRole('region', { name: 'Last response' }).textContent()).toContain('"code": 0');
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  expect(await target.inputValue()).toBe(`${example}?fail=false`);
  expect(await page.getByLabel('Send all events').isChecked()).toBe(true);

  await target.fill(`${example}?fail=true`);
  await page.getByRole('button', { name: 'Save callback settings' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText(/The target did not take the test event/).waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

it.each([
  { locale: 'en', width: 1440, colorScheme: 'light' },
  { locale: 'zh', width: 390, colorScheme: 'dark' },
] as const)(
  'the tab is accessible and fits: $locale, $width px, $colorScheme',
  async ({ locale, width, colorScheme }) => {
    const { page } = await openTab(locale, { viewport: { width, height: 900 }, colorScheme });
    for (const key of ['0', '2', '1']) {
      const button = page.locator(`section[data-key="${key}"] button[aria-expanded]`).first();
      await button.waitFor();
      if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
      await expectNoSidewaysScroll(page);
    }
    await expectAccessible(page);
    await page.context().close();
  },
);
