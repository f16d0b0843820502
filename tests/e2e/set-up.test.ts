import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Weir } from '../weir.fixture.ts';
import { expectAccessible, launchBrowser, openPage, violationsInBothSchemes } from './fixtures/browser.fixture.ts';
import { faultsOnPhone } from './fixtures/phone.fixture.ts';

let browser: Browser;
let weir: Weir;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  weir = await Weir.start();
});
afterEach(() => weir.close());

describe('set-up', () => {
  it('suggests a password, accepts it once, and leads to the scenario page', async () => {
    const { page, faults } = await openPage(browser);
    await page.goto(`${weir.origin}/?code=${weir.setupCode}`);
    const field = page.getByRole('textbox', { name: 'Administrator password' });
    const suggested = await field.inputValue();
    expect(suggested).toMatch(/^[0-9a-f]{16}$/);
    expect(await field.getAttribute('type')).toBe('text');
    expect([...(await violationsInBothSchemes(page)), ...(await faultsOnPhone(page))]).toEqual([]);

    // Slow enough to see the page wait, and to try a second time.
    let calls = 0;
    await page.route('**/mgmt/init', async (route) => {
      if (route.request().method() === 'POST') {
        calls += 1;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('button', { name: 'Setting up' }).waitFor();
    expect(await field.getAttribute('type')).toBe('password');
    await field.press('Enter');
    await page.waitForURL(`${weir.origin}/mgmt/en/routers-scenario`);
    await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
    expect(calls).toBe(1);
    expect((await weir.post('/terraform/v1/mgmt/login', { password: suggested })).status).toBe(200);
    const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('SRS_TERRAFORM_TOKEN') ?? '{}'));
    expect(Object.keys(stored).sort()).toEqual(['bearer', 'createAt', 'expireAt', 'token']);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('explains where the code is, keeps what was typed, and accepts the code by hand', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${weir.origin}/mgmt/`);
    const password = page.getByLabel('Administrator password');
    await password.fill('typed by hand');
    await page.getByRole('button', { name: 'Set up' }).click();
    const code = page.getByRole('textbox', { name: 'Setup code' });
    await code.fill('wrong');
    expect(await password.inputValue()).toBe('typed by hand');
    await expectAccessible(page);
    const refused = page.waitForResponse((response) => response.status() === 403);
    await page.getByRole('button', { name: 'Set up' }).click();
    await refused;
    await code.fill(weir.setupCode);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.waitForURL(/routers-scenario/);
    await page.context().close();
  });

  it('takes the code from the address when opened from another machine', async () => {
    const { page } = await openPage(browser);
    await page.goto(`http://weir.test:${weir.httpPort}/?code=${weir.setupCode}`);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.waitForURL(/routers-scenario/);
    expect(page.url()).not.toContain(weir.setupCode);
    await page.context().close();
  });
});
