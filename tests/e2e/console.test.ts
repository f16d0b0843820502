import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isAlive, until, Weir } from '../weir.fixture.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openDesk,
  openPage,
  openSharedDesk,
} from './fixtures/browser.fixture.ts';

const password = 'the password';
const flag = '?adminSystemBadass';
let browser: Browser;
let weir: Weir;
let session: object;
let desk: BrowserContext;

beforeAll(async () => {
  [browser, weir] = await Promise.all([launchBrowser(), Weir.start()]);
  session = await weir.setUp(password);
  desk = await openSharedDesk(browser, { origin: weir.origin, session });
});
afterAll(() => Promise.all([browser.close(), weir.close()]));

/** A page of somebody who is signed in. */
async function open(path: string) {
  const watched = await openPage(desk);
  await watched.page.goto(`${weir.origin}/mgmt/${path}`);
  return watched;
}

const signInForm = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

describe('signing in and out', () => {
  it('shows the form only with the flag, names a wrong password, waits 600 ms after the right one, and asks before sign-out', async () => {
    const { page, faults } = await openPage(browser);
    await page.goto(`${weir.origin}/mgmt/`);
    await page.getByRole('heading', { name: 'Private server' }).waitFor();
    expect(page.url()).toBe(`${weir.origin}/mgmt/en/routers-login`);
    expect(await signInForm(page).count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);

    // Addresses that name no page of ours: the same, also when loaded again.
    await page.goto(`${weir.origin}/mgmt/en/some/where`);
    await page.getByRole('heading', { name: 'Private server' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Private server' }).waitFor();

    await page.goto(`${weir.origin}/${flag}`);
    await signInForm(page).waitFor();
    expect(page.url()).toMatch(/\/mgmt\/en\/routers-login\?adminSystemBadass/);
    const field = page.getByRole('textbox', { name: 'Password', exact: true });
    const show = page.getByRole('checkbox', { name: 'Show password' });
    expect(await show.isChecked()).toBe(true);
    expect(await field.getAttribute('type')).toBe('text');
    await field.fill('wrong');
    await show.uncheck();
    const masked = page.getByLabel('Password', { exact: true });
    expect(await masked.getAttribute('type')).toBe('password');
    await page.keyboard.press('Enter');
    await page.getByText('Incorrect password.').waitFor();
    expect(await masked.inputValue()).toBe('wrong');
    await expectAccessible(page);

    await masked.fill(password);
    const answered = page.waitForResponse('**/mgmt/login');
    await signInForm(page).click();
    await page.waitForURL(/routers-scenario/);
    // By the browser's clock: on a busy machine we hear late of what it got.
    await (await answered).finished();
    const { startTime, responseEnd } = (await answered).request().timing();
    expect((await page.evaluate<number>('Date.now()')) - startTime - responseEnd).toBeGreaterThan(500);

    const questions: string[] = [];
    const answer = (isYes: boolean) =>
      page.once('dialog', (dialog) => {
        questions.push(dialog.message());
        return isYes ? dialog.accept() : dialog.dismiss();
      });
    answer(false);
    await page.getByRole('link', { name: 'Logout' }).click();
    await page.waitForURL(/routers-scenario/);
    const stored = () => page.evaluate(() => localStorage.getItem('SRS_TERRAFORM_TOKEN'));
    const { bearer } = JSON.parse((await stored()) ?? '{}') as { bearer: string };
    answer(true);
    await page.getByRole('link', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'Private server' }).waitFor();
    expect(questions).toHaveLength(2);
    expect(await stored()).toBeNull();
    const refused = await weir.post('/terraform/v1/mgmt/status', {}, { authorization: `Bearer ${bearer}` });
    expect(refused.code).toBe(2001);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('checks a stored sign-in by two calls and continues, with or without the flag', async () => {
    const { page } = await openPage(desk);
    const calls: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/mgmt/token')) calls.push(request.headers().authorization?.slice(0, 7));
    });
    await page.goto(`${weir.origin}/mgmt/en/routers-login`);
    await page.waitForURL(/routers-scenario/);
    expect(calls).toEqual([undefined, 'Bearer ']);
    await page.close();
  });

  it('reports when the sign-in has ended elsewhere, and leads back to the form', async () => {
    const own = (await weir.post('/terraform/v1/mgmt/login', { password })).data;
    const { page } = await openPage(await openDesk(browser, { origin: weir.origin, session: own }));
    await page.goto(`${weir.origin}/mgmt/en/routers-settings?tab=beian`);
    await page.getByRole('textbox', { name: 'Site title' }).fill('half a sentence');
    await weir.post('/terraform/v1/mgmt/logout', {}, { authorization: `Bearer ${own.bearer}` });
    await page.getByRole('button', { name: 'Save site title' }).click();
    await page.getByText('You got an error!').waitFor();
    await page.getByText('Error Code: 2001').waitFor();
    expect(await page.getByRole('textbox', { name: 'Site title' }).inputValue()).toBe('half a sentence');
    await expectAccessible(page);
    // In place: nothing typed is lost, and the same button works again.
    await page.getByRole('button', { name: 'Sign in here' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByText('npm run reset-password').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Save site title' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await weir.post('/terraform/v1/mgmt/beian/query')).data.title).toBe('half a sentence');
    await page.context().close();
  });

  it('keeps what was typed while another page is open, and echoes an XSRF cookie', async () => {
    await desk.addCookies([{ name: 'XSRF-TOKEN', value: 'a%20b', url: weir.origin }]);
    onTestFinished(() => desk.clearCookies());
    const { page, faults } = await openPage(desk);
    const asked = page.waitForRequest('**/mgmt/beian/query');
    await page.goto(`${weir.origin}/mgmt/en/routers-settings?tab=beian`);
    expect((await asked).headers()).toMatchObject({ 'x-xsrf-token': 'a b' });
    await page.getByRole('textbox', { name: 'Footer text' }).fill('half a sentence');
    await page.getByRole('link', { name: 'Component' }).click();
    await page.getByRole('heading', { name: 'Server', exact: true }).waitFor();
    await page.getByRole('link', { name: 'System' }).click();
    await page.waitForURL(/tab=beian/);
    expect(await page.getByRole('textbox', { name: 'Footer text' }).inputValue()).toBe('half a sentence');
    expect(faults).toEqual([]);
    await page.close();
  });
});

describe('the console frame', () => {
  it('switches language in place and keeps what was typed', async () => {
    const { page } = await openPage(await openDesk(browser, { origin: weir.origin, session }));
    await page.goto(`${weir.origin}/mgmt/en/routers-settings?tab=beian`);
    await page.getByRole('textbox', { name: 'Footer text' }).fill('typed in English');
    await page.getByText('中文', { exact: true }).click();
    await page.waitForURL(`${weir.origin}/mgmt/zh/routers-settings?tab=beian`);
    expect(await page.getByRole('textbox', { name: '页脚' }).first().inputValue()).toBe('typed in English');
    expect(await page.getAttribute('html', 'lang')).toMatch(/^zh/);
    expect(await page.evaluate(() => localStorage.getItem('ORYX_LOCALE'))).toBe('{"lang":"zh"}');
    await page.goto(`${weir.origin}/mgmt/`);
    await page.waitForURL(`${weir.origin}/mgmt/zh/routers-scenario`);
    await page.goto(`${weir.origin}/mgmt/fr/routers-contact`);
    await page.waitForURL(`${weir.origin}/mgmt/zh/routers-contact`);
    await page.context().close();
  });

  it('keeps its tabs in the address, goes back, and reports an unknown tab', async () => {
    const { page } = await open('en/routers-settings?tab=nothing');
    await page.getByText('There is no section called “nothing”.').waitFor();
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    await page.getByRole('tab', { name: 'Site texts' }).click();
    await page.waitForURL(/tab=beian/);
    await page.getByRole('textbox', { name: 'Site title' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    await page.close();
  });

  // Runs concurrently: one page renders while the other is checked.
  it.concurrent.each([
    { name: 'wide and light, in English', locale: 'en', width: 1440, colorScheme: 'light', narrow: 360 },
    { name: 'on a phone, dark, in Chinese', locale: 'zh', width: 390, colorScheme: 'dark', narrow: 390 },
  ] as const)(
    'fits $name, is accessible, and connects to no other site',
    async ({ locale, width, colorScheme, narrow }) => {
      const height = 800;
      const { page, faults, hosts } = await openPage(desk);
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      const readList = async () => {
        await page.getByRole('main').getByRole('heading').first().waitFor();
        await page.getByRole('complementary').waitFor();
        // The same pages as in `every-page.test.ts`, which looks at them wide and in English.
        if (locale === 'zh') await expectAccessible(page, { hasFrame: page.url().includes('tab=overview') });
        await page.setViewportSize({ width: narrow, height });
        await expectNoSidewaysScroll(page);
        await unfold(page, () => expectNoSidewaysScroll(page));
        await page.setViewportSize({ width, height });
        await expectNoSidewaysScroll(page);
      };
      for (const screen of [
        'routers-scenario?tab=overview',
        'routers-components',
        'routers-contact',
        'routers-settings',
      ]) {
        await page.goto(`${weir.origin}/mgmt/${locale}/${screen}`);
        await readList();
      }
      // The tabs of the last one, by a click on each: in the sidebar, on a phone in the menu.
      const links = page.locator('[role="tab"], [role="dialog"] nav:first-of-type a').filter({ visible: true });
      const openList = async () => {
        if (width < 860) await page.getByRole('button', { name: /^(Menu|菜单)$/ }).click();
        await links.first().waitFor();
      };
      await openList();
      const count = await links.count();
      expect(count).toBe(12);
      for (let index = 1; index < count; index += 1) {
        if (index > 1) await openList();
        await links.nth(index).click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        await readList();
      }
      const background = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      const [red = 0] = (background.match(/\d+/g) ?? []).map(Number);
      expect(red < 128).toBe(colorScheme === 'dark');
      expect(faults).toEqual([]);
      expect([...hosts]).toEqual([new URL(weir.origin).host]);
      await page.close();
    },
  );

  it('names the page in the browser tab, so that two open ones can be told apart', async () => {
    const { page } = await open('en/routers-scenario?tab=forward');
    await page.getByRole('heading', { level: 1, name: 'Forward' }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^Forward · /);
    await page.getByRole('tab', { name: 'Record' }).click();
    await expect.poll(() => page.title()).toMatch(/^Record · /);
    await page.getByRole('link', { name: 'System' }).click();
    await expect.poll(() => page.title()).toMatch(/^Authentication · /);
    await page.close();
  });

  it('has a menu on a phone that leads everywhere', async () => {
    const { page } = await open('en/routers-scenario');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Forward' }).click();
    await page.getByRole('heading', { level: 1, name: 'Forward' }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Contact' }).click();
    await page.getByRole('heading', { name: 'Contact' }).waitFor();
    await page.close();
  });
});

/** Opens each closed section of the tab that is shown, one after the other. */
async function unfold(page: Page, readList: () => Promise<void>): Promise<void> {
  const heads = page.locator('section[data-key] h2 > button:visible');
  for (const head of await heads.all()) {
    if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
    await readList();
  }
}

describe('the console while the control plane is killed', () => {
  it('loses no typed text, reports what happens, and recovers by itself', async () => {
    const { page, faults } = await openPage(desk);
    // The polls and their pauses are the console's own; their time passes when we say so.
    await page.clock.install();
    await page.goto(`${weir.origin}/mgmt/en/routers-settings?tab=beian`);
    const title = page.getByRole('textbox', { name: 'Site title' });
    await title.fill('half a sen');
    // Loaded, as for somebody who has typed that much: without the saved title there is no change to save.
    const save = page.getByRole('button', { name: 'Save site title' });
    await save.click({ trial: true });
    const server = weir.pidOf('server');
    // Without the launcher's restart the outage lasts as long as the test needs it.
    process.kill(weir.process.pid ?? 0, 'SIGSTOP');
    try {
      process.kill(server, 'SIGKILL');
      await until(() => !isAlive(server), 'server gone');
      // Opening the console now shows a page that opens it automatically later.
      const late = await openPage(desk);
      await late.page.goto(`${weir.origin}/mgmt/en/routers-contact`);
      await late.page.getByRole('heading', { name: 'The server is starting' }).waitFor();
      await expectAccessible(late.page);
      await title.pressSequentially('tence');
      await save.click();
      await page.getByText('You got an error!').waitFor();
      expect(await title.inputValue()).toBe('half a sentence');
      await page.clock.fastForward(20_000);
      await page
        .getByText(/^Out of date since \d\d:\d\d:\d\d, retrying$/)
        .first()
        .waitFor();
      process.kill(weir.process.pid ?? 0, 'SIGCONT');
      await late.page.getByRole('heading', { name: 'Contact' }).waitFor();
      expect(late.faults).toEqual([]);
      await late.page.close();
    } finally {
      process.kill(weir.process.pid ?? 0, 'SIGCONT');
    }
    await page.clock.fastForward(60_000);
    await page.getByText('Connected').waitFor();
    expect(await title.inputValue()).toBe('half a sentence');
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await weir.post('/terraform/v1/mgmt/beian/query')).data.title).toBe('half a sentence');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('opens by itself when the first answers fail', async () => {
    const { page } = await openPage(browser);
    await page.route('**/mgmt/envs', (route) => route.abort(), { times: 2 });
    await page.goto(`${weir.origin}/mgmt/en/routers-login${flag}`);
    await page.getByRole('heading', { name: 'The server is not responding' }).waitFor();
    await signInForm(page).waitFor();
    await page.context().close();
  });
});

describe('the installed console', () => {
  it('has a manifest with icons, says when the server is away, and shows a push message', async () => {
    const { page } = await openPage(browser);
    const { origin } = weir;
    const devtools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
        if (first) resolve(first.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    await page.goto(`${origin}/mgmt/en/routers-login${flag}`);
    await signInForm(page).waitFor();
    const manifest = (await devtools.send('Page.getAppManifest')) as { data?: string; errors: unknown[] };
    expect(manifest.errors).toEqual([]);
    for (const { src } of JSON.parse(manifest.data ?? '{}').icons) {
      expect([src, (await page.request.get(origin + src)).status()]).toEqual([src, 200]);
    }
    await page.evaluate("navigator.serviceWorker.register('/mgmt/sw.js').then(() => navigator.serviceWorker.ready)");
    const [worker] = page.context().serviceWorkers();
    // This browser has no window system to show messages in.
    await worker?.evaluate('self.registration.showNotification = async (...message) => { self.shown = message; }');
    const message = { title: '[weir.test] SRT had to be restarted', body: 'since 11:58', link: `${origin}/mgmt/en/` };
    const data = JSON.stringify(message);
    await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
    const shown = () => worker?.evaluate<[string, object] | undefined>('self.shown');
    await until(async () => (await shown()) !== undefined, 'a message');
    expect(await shown()).toMatchObject([message.title, { body: message.body, data: { link: message.link } }]);
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: "The server can't be reached" }).waitFor();
    await expectAccessible(page, { hasFrame: true });
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Private server' }).waitFor();
    await page.context().close();
  });
});
