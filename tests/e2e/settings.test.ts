import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AiProvider } from '../ai-provider.fixture.ts';
import { inputs, Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { until, Weir } from '../weir.fixture.ts';
import { launchBrowser, openPage, openSharedDesk, type Watched } from './fixtures/browser.fixture.ts';

const aiKey = 'sk-0123456789abcdef';
const publishSecret = 'a-secret-of-the-settings-test';
const newPassword = 'another password';
let browser: Browser;
let weir: Weir;
let desk: BrowserContext;
let provider: AiProvider;

beforeAll(async () => {
  [browser, weir, provider] = await Promise.all([launchBrowser(), Weir.start(), AiProvider.start()]);
  provider.key = aiKey;
  const session = await weir.setUp();
  desk = await openSharedDesk(browser, { origin: weir.origin, session });
});
afterAll(async () => {
  await Promise.all([browser.close(), weir.close(), provider.close()]);
});

/** The settings page of somebody who is signed in. */
async function openTab(tab: string): Promise<Watched> {
  const watched = await openPage(desk);
  await watched.page.goto(`${weir.origin}/mgmt/en/routers-settings?tab=${tab}`);
  return watched;
}

const signIn = (password: string) => weir.post('/terraform/v1/mgmt/login', { password });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const pressIn = (page: Page, region: string, name: string) =>
  page.getByRole('region', { name: region, exact: true }).getByRole('button', { name, exact: true }).click();
const saved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor();
/** Pages load while they are asked, so the first look may take a while. */
/** A tab that was left is still there, unseen. */
const labelled = (page: Page, name: string) => page.getByLabel(name, { exact: true }).filter({ visible: true }).first();
const expectValue = (page: Page, name: string, value: string) =>
  expect.poll(() => labelled(page, name).inputValue()).toBe(value);
const expectTicked = (page: Page, name: string) =>
  expect.poll(() => page.getByRole('checkbox', { name }).isChecked()).toBe(true);

interface Tab {
  readonly tab: string;
  readonly save: (page: Page) => Promise<void>;
  readonly find: (page: Page) => Promise<void>;
}

let apiSecret = '';

const tabs: readonly Tab[] = [
  {
    tab: 'auth',
    save: async (page) => {
      // Before the field has what is saved, there is nothing to clear.
      await expect.poll(() => labelled(page, 'Secret').inputValue()).not.toBe('');
      await page.getByLabel('Secret', { exact: true }).fill('');
      await press(page, 'Save secret');
      await page.getByText('Enter a secret.').waitFor();
      await page.getByLabel('Secret', { exact: true }).fill(publishSecret);
      await press(page, 'Save secret');
      await page.getByText('Secret saved').waitFor();
      await page.getByLabel('Current password').fill('not the password');
      await page.getByLabel('New password').fill(newPassword);
      await press(page, 'Change password');
      await page.getByText('Incorrect password.').waitFor();
      await page.getByLabel('Current password').fill('the password');
      await press(page, 'Change password');
      await saved(page);
    },
    find: async (page) => {
      await expectValue(page, 'Secret', publishSecret);
      expect((await signIn(newPassword)).status).toBe(200);
    },
  },
  {
    tab: 'hls',
    save: async (page) => {
      const latency = page.getByRole('region', { name: 'HLS latency' });
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
      await field(page, 'Site title').fill('<b>Studio</b>');
      await press(page, 'Save site title');
      await page.getByRole('banner').getByText('<b>Studio</b>').waitFor();
      expect(await page.title()).toBe('Site texts · <b>Studio</b>');
    },
    find: async (page) => {
      await expectValue(page, 'Site title', '<b>Studio</b>');
      await expectValue(page, 'Footer text', '');
    },
  },
  {
    tab: 'limits',
    save: async (page) => {
      await expectValue(page, 'Virtual live, kbit/s', '5000');
      await field(page, 'Virtual live, kbit/s').fill('a lot');
      await press(page, 'Save');
      await page.getByText('Enter a whole number from 1').waitFor();
      await field(page, 'Virtual live, kbit/s').fill('8000');
      await field(page, 'Camera, kbit/s').fill('2500');
      await press(page, 'Save');
      await saved(page);
    },
    find: async (page) => {
      await expectValue(page, 'Virtual live, kbit/s', '8000');
      await expectValue(page, 'Camera, kbit/s', '2500');
    },
  },
  {
    tab: 'llm',
    save: async (page) => {
      await press(page, 'Test connection');
      await page.getByText('Enter the secret key.').waitFor();
      await page.getByLabel('Secret key').fill(aiKey);
      await field(page, 'Base URL').fill(provider.baseURL);
      await press(page, 'Test connection');
      await page.getByText('Test passed').waitFor();
      await pressIn(page, 'AI provider', 'Save');
      await saved(page);
      await field(page, 'Base URL').fill('http://elsewhere.example/v1');
      await pressIn(page, 'AI provider', 'Save');
      await page.getByText('The base URL has a new host').waitFor();
    },
    find: async (page) => {
      await expectValue(page, 'Secret key', '••••••••cdef');
      await expectValue(page, 'Base URL', provider.baseURL);
      await press(page, 'Test connection');
      await page.getByText('Test passed').waitFor();
    },
  },
  {
    tab: 'api',
    save: async (page) => {
      const secret = labelled(page, 'Secret');
      await expect.poll(() => secret.inputValue()).toMatch(/^srs-v2-/);
      const before = await secret.inputValue();
      expect(await secret.getAttribute('type')).toBe('password');
      expect(await field(page, 'Command').inputValue()).toMatch(/^curl -X POST .*secret\/query'$/);
      expect(await field(page, 'Command').inputValue()).not.toContain(before);

      await press(page, 'Try it out');
      const response = page.getByRole('status', { name: 'Response' });
      await response.getByText(publishSecret).waitFor();
      await press(page, 'Reset');
      await response.waitFor({ state: 'detached' });

      await field(page, 'Search calls').fill('contact/update');
      await page.getByText('POST /terraform/v1/mgmt/contact/update', { exact: true }).last().click();
      await press(page, 'Open in explorer');
      await field(page, 'Body').fill('{"source": ');
      await press(page, 'Try it out');
      await page.getByText('Enter valid JSON.').waitFor();
      await field(page, 'Body').fill('{"source": "https://source.example/"}');
      await press(page, 'Try it out');
      await response.getByText('Status 200').waitFor();

      await press(page, 'Replace API secret');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Scripts and programs that use the current secret').waitFor();
      await dialog.getByRole('button', { name: 'Replace API secret' }).click();
      await page.getByText('API secret replaced').waitFor();
      const refused = await weir.post('/terraform/v1/mgmt/limits/query', {}, { authorization: `Bearer ${before}` });
      expect(refused.code).toBe(2001);
      await expect.poll(() => secret.inputValue()).not.toBe(before);
      apiSecret = await secret.inputValue();
    },
    find: async (page) => {
      await expectValue(page, 'Secret', apiSecret);
      const taken = await weir.post('/terraform/v1/mgmt/limits/query', {}, { authorization: `Bearer ${apiSecret}` });
      expect(taken.code).toBe(0);
    },
  },
  {
    tab: 'platform',
    save: async (page) => {
      await expectValue(page, 'From', '23');
      await page.getByLabel('To', { exact: true }).selectOption('1');
      await press(page, 'Save upgrade window');
      await page.getByText('The upgrade window should be 3h+').waitFor();
      await page.getByLabel('To', { exact: true }).selectOption('2');
      await page.getByRole('checkbox', { name: 'Automatic' }).check();
      await press(page, 'Save upgrade window');
      await page.getByText('Upgrade window saved').waitFor();
      const homepage = page.getByRole('region', { name: 'Homepage' });
      await field(page, 'URL or path').fill('//evil.example');
      await homepage.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Enter a path that starts with a single /').waitFor();
      await field(page, 'URL or path').fill('/players/whep.html');
      await homepage.getByRole('button', { name: 'Save' }).click();
      await saved(page);
      await press(page, 'Save backend servers');
      await page.getByText('Enter at least one backend server.').waitFor();
      await field(page, 'Backend server 1').fill('edge.example:8080');
      await press(page, 'Save backend servers');
      await field(page, 'URL for viewers').waitFor();
      await page.getByLabel('Limit', { exact: true }).selectOption({ label: '30 h' });
      await page.getByRole('region', { name: 'Hours per month' }).getByRole('button', { name: 'Save' }).click();
      await page.getByText('Limit saved').waitFor();
    },
    find: async (page) => {
      await expectValue(page, 'To', '2');
      await expectTicked(page, 'Automatic');
      await expectValue(page, 'URL or path', '/players/whep.html');
      await expectValue(page, 'Backend server 1', 'edge.example:8080');
      await expectValue(page, 'Limit', String(30 * 3600));
      const leadsTo = async (path: string) =>
        (await fetch(weir.origin + path, { redirect: 'manual' })).headers.get('location');
      expect(await leadsTo('/?to=//evil.example')).toBe('/players/whep.html');
      expect(await leadsTo('/terraform/v1/mgmt/dns/lb/live/show.flv')).toBe('http://edge.example:8080/live/show.flv');
    },
  },
];

// Certificates and callbacks have files of their own.
describe('the settings', () => {
  it.each(tabs)('of $tab are saved and shown after a reload', async ({ tab, save, find }) => {
    const { page, faults } = await openTab(tab);
    await save(page);
    await page.reload();
    await find(page);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('list live streams, also after a crash of the server, and end them', async () => {
    const publisher = new Publisher(
      `rtmp://127.0.0.1:${weir.rtmpPort}/live/show?secret=${publishSecret}`,
      inputs.video,
    );
    onTestFinished(() => publisher.stop('SIGKILL'));
    const isLive = async () => (await fetch(`${weir.origin}/live/show.flv`, { method: 'HEAD' })).status === 200;
    await until(isLive, 'it is live');
    const { page, faults } = await openTab('streams');
    const row = page.getByRole('row', { name: /live\/show/ });
    await row.waitFor();
    const clientOf = async () => (await row.getByRole('cell').nth(3).textContent()) ?? '';
    const client = await clientOf();
    expect(client).not.toBe('');
    await weir.crashServer();
    await page.reload();
    await row.waitFor();
    expect(await clientOf()).toBe(client);
    await press(page, 'Disconnect live/show');
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('live/show disconnected').waitFor();
    await page.getByText('No streams').waitFor();
    await until(() => publisher.hasEnded, 'its publisher has gone');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('persist across a restart of everything', async () => {
    weir = await weir.restarted();
    const { page } = await openTab('auth');
    for (const { tab, find } of tabs) {
      await page.locator(`[role="tab"][href$="tab=${tab}"]`).click();
      await find(page);
    }
    await page.close();
  });

  it('end every session when the user signs out everywhere', async () => {
    const { bearer } = (await signIn(newPassword)).data;
    const { page } = await openTab('auth');
    await press(page, 'Sign out everywhere');
    await page.getByRole('dialog').getByText('All browsers, including this one').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Private server' }).waitFor();
    const refused = await weir.post('/terraform/v1/mgmt/status', {}, { authorization: `Bearer ${bearer}` });
    expect(refused.code).toBe(2001);
    await page.close();
  });
});
