import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Weir } from '../weir.fixture.ts';
import { expectAccessible, launchBrowser, openDesk, openPage, openSharedDesk } from './fixtures/browser.fixture.ts';

let browser: Browser;
let weir: Weir;
let session: object;
let desk: BrowserContext;

beforeAll(async () => {
  [browser, weir] = await Promise.all([launchBrowser(), Weir.start()]);
  session = await weir.setUp();
  desk = await openSharedDesk(browser, { origin: weir.origin, session }, { reducedMotion: 'no-preference' });
});
afterAll(() => Promise.all([browser.close(), weir.close()]));

async function open(path: string, context = desk) {
  const watched = await openPage(context);
  await watched.page.goto(`${weir.origin}/mgmt/${path}`);
  return watched;
}

it('restarts the control server from its page, which stays open and shows the new process', async () => {
  const { page, faults, hosts } = await open('en/routers-components');
  const card = page.getByRole('region', { name: 'Control server' });
  const before = weir.pidOf('server');
  await card.getByText(String(before), { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Programs and libraries' }).getByText('FFmpeg').waitFor();
  await card.getByRole('button', { name: 'Restart control server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText("Live streams aren't interrupted").waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Restart control server' }).click();
  await card.getByText('Restarted on request').waitFor();
  await card.getByText('Running').waitFor();
  await card.getByText(String(weir.pidOf('server')), { exact: true }).waitFor();
  expect(weir.pidOf('server')).not.toBe(before);
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([new URL(weir.origin).host]);
  await page.close();
});

it('checks the server from within and from the browser, which connects to the WebRTC port', async () => {
  const { page } = await open('en/routers-components');
  const panel = page.getByRole('region', { name: 'Check this server' });
  await panel.getByRole('button', { name: 'Run checks' }).click();
  await panel.getByRole('button', { name: 'Download results' }).waitFor();
  const texts = async (name: string) =>
    (await panel.getByRole('region', { name }).getByRole('listitem').allInnerTexts()).join('\n');
  const own = await texts('From your browser');
  expect(own).toMatch(/Your browser reaches this server over HTTP\./);
  expect(own).toMatch(/WebRTC over UDP\s+OK\s+Your browser connected in \d+ ms/);
  const server = await texts('From this server');
  expect(server).toMatch(/RTMP\s+OK\s+RTMP answers on this machine/);
  expect(server).toMatch(/Ports\s+OK\s+Weir listens on .*WebRTC \d+/);
  expect(server).toMatch(/Encoder test\s+OK/);
  await expectAccessible(page);
  await page.close();
});

it('keeps an address of the contact page, and turns the slides of the Chinese one by touch', async () => {
  const { page } = await open('en/routers-contact');
  await page.getByRole('button', { name: 'Edit links' }).click();
  await page.getByRole('textbox', { name: 'Source repository' }).fill('https://source.example/weir');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Source repository' }).waitFor();
  await page.reload();
  const link = page.getByRole('link', { name: 'Source repository' });
  expect(await link.getAttribute('href')).toBe('https://source.example/weir');
  await page.close();

  const touch = { viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: 'no-preference' } as const;
  const phone = await open('zh/routers-contact', await openDesk(browser, { origin: weir.origin, session }, touch));
  await phone.page.getByRole('heading', { name: '加入交流群' }).waitFor();
  await swipeLeft(phone.page);
  await phone.page.getByRole('heading', { name: '付费社群' }).waitFor();
  await expectAccessible(phone.page);
  expect(phone.faults).toEqual([]);
  await phone.page.close();
});

it('does not move the slides with reduced motion', async () => {
  const { page } = await openPage(desk);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${weir.origin}/mgmt/zh/routers-contact`);
  await page.getByRole('heading', { name: '加入交流群' }).waitFor();
  await page.getByRole('button', { name: '下一张' }).waitFor();
  expect(await page.getByRole('button', { name: '暂停轮播' }).count()).toBe(0);
  await page.close();
});

/** Touch events; Chromium turns them into pointer events. */
async function swipeLeft(page: Page): Promise<void> {
  const box = await page.getByRole('group', { name: '社区' }).boundingBox();
  const y = (box?.y ?? 0) + 60;
  const touch = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y }] });
  await send('touchStart', 300);
  for (const x of [270, 240, 210]) await send('touchMove', x);
  await send('touchEnd');
}
