import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { CallbackReceiver } from '../media/fixtures/callback-receiver.fixture.ts';
import { inputs, Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../media/fixtures/live.fixture.ts';
import { until } from '../weir.fixture.ts';
import { launchBrowser, openPage, openSharedDesk } from './fixtures/browser.fixture.ts';

let browser: Browser;
let live: Live;
let desk: BrowserContext;
beforeAll(async () => {
  [browser, live] = await Promise.all([launchBrowser(), Live.start()]);
  desk = await openSharedDesk(browser, { origin: live.weir.origin, session: live.session });
});
afterAll(() => Promise.all([browser.close(), live.close()]));

async function openTab(locale: string) {
  const watched = await openPage(desk);
  await watched.page.goto(`${live.weir.origin}/mgmt/${locale}/routers-settings?tab=callback`);
  return watched;
}

it('callbacks are set up, tested and kept across a reload and a restart of the server', async () => {
  const { page, faults } = await openTab('en');
  const target = page.getByLabel('Callback URL');
  const host = page.getByLabel('Public URL of this server');
  const example = `${live.weir.origin}/terraform/v1/mgmt/hooks/example`;
  const save = async () => {
    await page.getByRole('button', { name: 'Save callback settings' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
  };
  await target.waitFor();
  expect(await target.inputValue()).toBe(`${example}?fail=false`);
  await page.getByLabel('Callback token (opaque)').fill('studio one');
  await host.fill('https://live.example.com');
  await page.getByLabel('Send all events').check();
  await save();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText(/^Test event delivered in \d+ ms$/).waitFor();
  await page.getByRole('table', { name: 'Deliveries' }).getByText('on_test').waitFor();

  await live.weir.crashServer();
  await page.reload();
  const state = page.getByRole('region', { name: 'Current state' });
  await state.getByText('Active', { exact: true }).waitFor();
  await state.getByText(`${example}?fail=false`).waitFor();
  expect(await state.getByRole('region', { name: 'Last request' }).textContent()).toContain('"opaque": "studio one"');
  expect(await state.getByRole('region', { name: 'Last response' }).textContent()).toContain('"code": 0');
  expect(await target.inputValue()).toBe(`${example}?fail=false`);
  expect(await host.inputValue()).toBe('https://live.example.com');
  expect(await page.getByLabel('Send all events').isChecked()).toBe(true);

  await target.fill(`${example}?fail=true`);
  await save();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('Test event failed. The receiver responded with status 500 instead of 200.').waitFor();
  const { data } = await live.post('/terraform/v1/mgmt/hooks/query');
  expect(data.host).toBe('https://live.example.com');
  expect(faults).toEqual([]);
  await page.close();
});

it('a callback target that hangs delays a publisher by less than five seconds, and the page shows why in both languages', async () => {
  const receiver = await CallbackReceiver.start();
  onTestFinished(() => receiver.stop());
  await receiver.say('hang');
  await live.post('/terraform/v1/mgmt/hooks/apply', { target: receiver.url, all: true });
  const publisher = new Publisher(live.publishUrl('hung'), inputs.video);
  onTestFinished(() => publisher.stop('SIGKILL'));
  await until(() => receiver.heard.length > 0, 'the receiver was asked');
  const askedMs = performance.now();
  await until(() => publisher.hasEnded, 'ffmpeg gives up');
  expect(performance.now() - askedMs).toBeLessThan(5000);
  expect(publisher.said).toContain('could not be reached');
  expect(await live.isLive('hung')).toBe(false);
  expect((await live.post('/terraform/v1/mgmt/hooks/query')).data.tookMs).toBeLessThan(5000);

  const { page, faults } = await openTab('en');
  const shows = async (text: string) => {
    await page.locator('section[data-key="2"]').getByText(text, { exact: true }).waitFor();
    await page
      .getByRole('row', { name: /on_publish.*live\/hung/ })
      .getByText(text, { exact: true })
      .waitFor();
  };
  await shows("The receiver didn't respond within 4.5 seconds.");
  await page.getByText('中文', { exact: true }).click();
  await shows('接收端没有在 4.5 秒内响应。');
  expect(faults).toEqual([]);
  await page.close();
});
