import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Weir } from '../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openPage, type Watched } from './browser.fixture.ts';

const aiKey = 'sk-0123456789abcdef';
let browser: Browser;
let weir: Weir;
let session: { bearer: string };
/** Knows the key, and nothing else. */
const provider = createServer((req, res) =>
  res.writeHead(req.headers.authorization === `Bearer ${aiKey}` ? 200 : 401).end('{}'),
);
let providerUrl: string;

beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  [browser, weir] = await Promise.all([launchBrowser(), Weir.start(), once(provider, 'listening')]);
  providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  session = (await weir.post('/terraform/v1/mgmt/init', { password: 'the password' })).data;
});
afterAll(async () => {
  provider.close();
  await Promise.all([browser.close(), weir.close()]);
});

/** The settings page of somebody who is signed in. */
async function openTab(tab: string, options: BrowserContextOptions = {}, locale = 'en'): Promise<Watched> {
  const watched = await openPage(browser, options);
  await watched.page.addInitScript((value) => {
    if (localStorage.getItem('SRS_TERRAFORM_TOKEN') === null) localStorage.setItem('SRS_TERRAFORM_TOKEN', value);
  }, JSON.stringify(session));
  await watched.page.goto(`${weir.origin}/mgmt/${locale}/routers-settings?tab=${tab}`);
  return watched;
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const saved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor();
/** Pages load while they are asked, so the first look may take a while. */
const patience = { timeout: 15_000 };
const expectValue = (page: Page, name: string, value: string) =>
  expect.poll(() => page.getByLabel(name, { exact: true }).first().inputValue(), patience).toBe(value);
const expectTicked = (page: Page, name: string) =>
  expect.poll(() => page.getByRole('checkbox', { name }).isChecked(), patience).toBe(true);

interface Tab {
  readonly tab: string;
  readonly save: (page: Page) => Promise<void>;
  readonly find: (page: Page) => Promise<void>;
}

const tabs: readonly Tab[] = [
  {
    tab: 'auth',
    save: async (page) => {
      await page.getByLabel('Secret', { exact: true }).fill('a-secret-of-the-settings-test');
      await press(page, 'Save secret');
      await page.getByText('Secret saved').waitFor();
    },
    find: (page) => expectValue(page, 'Secret', 'a-secret-of-the-settings-test'),
  },
  {
    tab: 'hls',
    save: async (page) => {
      const latency = page.getByRole('region', { name: 'HLS delay' });
      await latency.getByRole('checkbox').check();
      await latency.getByRole('button', { name: 'Save' }).click();
      await saved(page);
    },
    find: (page) => expectTicked(page, 'Low latency'),
  },
  {
    tab: 'beian',
    save: async (page) => {
      await field(page, 'Footer text').fill('will be cleared');
      await press(page, 'Save footer text');
      await page.getByRole('contentinfo').getByText('will be cleared').waitFor();
      await field(page, 'Footer text').fill('');
      await press(page, 'Save footer text');
      await page.getByRole('contentinfo').getByText('will be cleared').waitFor({ state: 'detached' });
      await field(page, 'Site title').fill('Studio One');
      await press(page, 'Save site title');
      await page.getByRole('banner').getByText('Studio One').waitFor();
      expect(await page.title()).toBe('Studio One');
    },
    find: async (page) => {
      await expectValue(page, 'Site title', 'Studio One');
      await expectValue(page, 'Footer text', '');
    },
  },
  {
    tab: 'limits',
    save: async (page) => {
      await expectValue(page, 'Virtual live, Kbps', '5000');
      await field(page, 'Virtual live, Kbps').fill('a lot');
      await press(page, 'Save');
      await page.getByText('Enter a whole number of Kbps').waitFor();
      await field(page, 'Virtual live, Kbps').fill('8000');
      await field(page, 'Camera, Kbps').fill('2500');
      await press(page, 'Save');
      await saved(page);
    },
    find: async (page) => {
      await expectValue(page, 'Virtual live, Kbps', '8000');
      await expectValue(page, 'Camera, Kbps', '2500');
    },
  },
  {
    tab: 'llm',
    save: async (page) => {
      await press(page, 'Test');
      await page.getByText('Enter the secret key of the provider.').waitFor();
      await page.getByLabel('Secret key').fill(aiKey);
      await field(page, 'Base URL').fill(providerUrl);
      await press(page, 'Test');
      await page.getByText('Test passed').waitFor();
      await press(page, 'Save');
      await saved(page);
      await field(page, 'Base URL').fill('http://elsewhere.example/v1');
      await press(page, 'Save');
      await page.getByText('The base URL names another host').waitFor();
    },
    find: async (page) => {
      await expectValue(page, 'Secret key', '••••••••cdef');
      await expectValue(page, 'Base URL', providerUrl);
      await press(page, 'Test');
      await page.getByText('Test passed').waitFor();
    },
  },
  {
    tab: 'platform',
    save: async (page) => {
      await expectValue(page, 'From', '23');
      await page.getByLabel('To', { exact: true }).selectOption('1');
      await press(page, 'Save upgrade window');
      await page.getByText('The upgrade window should be 3 hours or more.').waitFor();
      await page.getByLabel('To', { exact: true }).selectOption('2');
      await page.getByRole('checkbox', { name: 'Automatic' }).check();
      await press(page, 'Save upgrade window');
      await page.getByText('Upgrade window saved').waitFor();
      const homepage = page.getByRole('region', { name: 'Homepage' });
      await field(page, 'Address or path').fill('//evil.example');
      await homepage.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Enter a path that starts with one /').waitFor();
      await field(page, 'Address or path').fill('/players/whep.html');
      await homepage.getByRole('button', { name: 'Save' }).click();
      await saved(page);
      await press(page, 'Save backend servers');
      await page.getByText('Enter at least one backend server.').waitFor();
      await field(page, 'Backend server 1').fill('edge.example:8080');
      await press(page, 'Save backend servers');
      await field(page, 'Give viewers this address').waitFor();
      await page.getByLabel('Limit', { exact: true }).selectOption({ label: '30 h' });
      await page.getByRole('region', { name: 'Hours per month' }).getByRole('button', { name: 'Save' }).click();
      await page.getByText('Limit saved').waitFor();
    },
    find: async (page) => {
      await expectValue(page, 'To', '2');
      await expectTicked(page, 'Automatic');
      await expectValue(page, 'Address or path', '/players/whep.html');
      await expectValue(page, 'Backend server 1', 'edge.example:8080');
      await expectValue(page, 'Limit', String(30 * 3600));
      const leadsTo = async (path: string) =>
        (await fetch(weir.origin + path, { redirect: 'manual' })).headers.get('location');
      expect(await leadsTo('/?to=//evil.example')).toBe('/players/whep.html');
      expect(await leadsTo('/terraform/v1/mgmt/dns/lb/live/show.flv')).toBe('http://edge.example:8080/live/show.flv');
    },
  },
];

describe('settings', () => {
  it.each(tabs)('of $tab are saved and there after a reload', async ({ tab, save, find }) => {
    const { page, faults } = await openTab(tab);
    await save(page);
    await page.reload();
    await find(page);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('are there after a restart of the server', async () => {
    weir.process.kill('SIGTERM');
    await once(weir.process, 'exit');
    weir = await Weir.start({}, weir.dataDir);
    const { page } = await openTab('auth');
    for (const { tab, find } of tabs) {
      await page.goto(`${weir.origin}/mgmt/en/routers-settings?tab=${tab}`);
      await find(page);
    }
    await page.context().close();
  });

  // The others are looked at with the rest of the console.
  const all = ['hls', 'limits', 'llm', 'platform', 'api'];
  it.each([
    { name: 'wide and light, in English', locale: 'en', width: 1440, colorScheme: 'light' },
    { name: 'on a phone and dark, in Chinese', locale: 'zh', width: 390, colorScheme: 'dark' },
  ] as const)('are accessible $name, fit, and ask nobody else', async ({ locale, width, colorScheme }) => {
    const { page, faults, hosts } = await openTab('auth', { viewport: { width, height: 800 }, colorScheme }, locale);
    for (const tab of all) {
      await page.goto(`${weir.origin}/mgmt/${locale}/routers-settings?tab=${tab}`);
      await page.getByRole('heading').nth(1).waitFor();
      await page.getByRole('complementary').waitFor();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    }
    expect(faults).toEqual([]);
    expect([...hosts]).toEqual([new URL(weir.origin).host]);
    await page.context().close();
  });
});

describe('the API tab', () => {
  it('tries calls with the secret, and replaces it without signing this browser out', async () => {
    const { page, faults } = await openTab('api');
    const before = (
      await weir.post('/terraform/v1/mgmt/secret/query', {}, { authorization: `Bearer ${session.bearer}` })
    ).data as string;
    await expectValue(page, 'Secret', before);
    expect(await page.getByLabel('Secret', { exact: true }).first().getAttribute('type')).toBe('password');
    expect(await field(page, 'Command').inputValue()).toMatch(/^curl -X POST .*secret\/query'$/);
    expect(await field(page, 'Command').inputValue()).not.toContain(before);

    await press(page, 'Try it out');
    const response = page.getByRole('status', { name: 'Response' });
    await response.getByText('a-secret-of-the-settings-test').waitFor();
    await press(page, 'Reset');
    await response.waitFor({ state: 'detached' });

    await field(page, 'Find a call').fill('beian/update');
    await page.getByText('POST /terraform/v1/mgmt/beian/update', { exact: true }).last().click();
    await press(page, 'Open in the explorer');
    await field(page, 'Body').fill('{"beian": "icp", ');
    await press(page, 'Try it out');
    await page.getByText('This is not valid JSON.').waitFor();
    await field(page, 'Body').fill('{"beian": "icp", "text": "by a script"}');
    await press(page, 'Try it out');
    await response.getByText('Status 200').waitFor();
    expect((await weir.post('/terraform/v1/mgmt/beian/query')).data.icp).toBe('by a script');
    await expectAccessible(page);

    await press(page, 'Replace API secret');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Every script and program that uses the current secret').waitFor();
    await dialog.getByRole('button', { name: 'Replace API secret' }).click();
    await page.getByText('API secret replaced').waitFor();
    const refused = await weir.post('/terraform/v1/mgmt/limits/query', {}, { authorization: `Bearer ${before}` });
    expect(refused.code).toBe(2001);
    await page.reload();
    await expect
      .poll(() => page.getByLabel('Secret', { exact: true }).first().inputValue(), patience)
      .toMatch(/^srs-v2-/);
    expect(await page.getByLabel('Secret', { exact: true }).first().inputValue()).not.toBe(before);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
