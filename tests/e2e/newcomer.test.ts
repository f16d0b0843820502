import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RtspCamera } from '../media/fixtures/rtsp-camera.fixture.ts';
import { until, Weir } from '../weir.fixture.ts';
import { launchBrowser, openPage, videoIs } from './fixtures/browser.fixture.ts';

const password = 'p@/ss?!#';
let browser: Browser;
let camera: RtspCamera;
beforeAll(async () => {
  [browser, camera] = await Promise.all([launchBrowser(), RtspCamera.start('viewer', password)]);
});
afterAll(() => Promise.all([browser.close(), camera.close()]));

/** Counts what the pointer does, across reloads of the tab. */
const countClicks = `addEventListener('click', ({ isTrusted, detail }) => {
  if (isTrusted && detail > 0) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1));
}, true);`;
const clicksOf = (page: Page) => page.evaluate<number>("Number(sessionStorage.getItem('clicks'))");

/** From a server that nobody has seen to a link that a stranger watches. Returns the clicks of each task. */
async function firstEvening(weir: Weir): Promise<Record<string, number>> {
  const { page, faults } = await openPage(browser);
  await page.addInitScript(countClicks);
  /** Fields are clicked too, before they are typed into. */
  const type = async (target: Locator, text: string) => {
    await target.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
  };
  const counts: number[] = [];
  const done = async () => counts.push(await clicksOf(page));
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const row = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });
  const openStream = async () => {
    await tab('Overview').click();
    await page.getByRole('main').getByRole('link', { name: 'live/front-door' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'live/front-door' }).waitFor();
  };

  await page.goto(`${weir.origin}/?code=${weir.setupCode}`);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
  const stored = await page.evaluate<string>("localStorage.getItem('SRS_TERRAFORM_TOKEN')");
  const headers = { authorization: `Bearer ${JSON.parse(stored).bearer}` };
  const call = async (path: string) => (await weir.post(`/terraform/v1/${path}`, {}, headers)).data;
  await done();

  await tab('IP camera').click();
  await page.getByRole('button', { name: 'Add camera' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Add camera' });
  await type(sheet.getByLabel('Stream URL'), camera.url('/picture', `viewer:${password}`));
  await sheet.getByRole('button', { name: 'Test camera' }).click();
  await sheet.getByText('Camera found').waitFor();
  await type(sheet.getByLabel('Name', { exact: true }), 'Front door');
  await sheet.getByRole('button', { name: 'Start', exact: true }).click();
  await row('Front door').getByText('Live', { exact: true }).waitFor();
  await done();

  await openStream();
  await page.getByRole('button', { name: 'Record Off' }).click();
  await page.getByRole('button', { name: /^Recording \d+:\d\d$/ }).waitFor();
  expect(await call('hooks/record/files')).toMatchObject([{ stream: 'front-door', state: 'recording' }]);
  await done();

  await page.getByRole('link', { name: /^Add destination/ }).click();
  await page.getByRole('button', { name: 'Add destination' }).first().click();
  const target = page.getByRole('dialog', { name: 'Add destination' });
  await target.getByRole('radio', { name: 'Another server' }).click();
  await type(target.getByLabel('Server address'), `rtmp://127.0.0.1:${weir.rtmpPort}/live`);
  const { publish } = await call('hooks/srs/secret/query');
  await type(target.getByLabel('Stream key', { exact: true }), `copy?secret=${publish}`);
  await target.getByRole('button', { name: 'Start', exact: true }).click();
  await row('127.0.0.1').getByText('Live', { exact: true }).waitFor();
  const isCopied = async () => (await fetch(`${weir.origin}/live/copy.flv`, { method: 'HEAD' })).status === 200;
  await until(isCopied, 'the copy plays');
  // A rate arrives by itself, once the burst of the start is over.
  await row('127.0.0.1')
    .getByText(/^[\d.,]+\s[Mk]bit\/s$/)
    .waitFor();
  await done();

  await openStream();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Watch page' }).click();
  const shared = (await opened).url();
  await done();
  const { page: stranger } = await openPage(browser);
  await stranger.goto(shared);
  await videoIs(stranger, 'video.currentTime > 1 && video.videoWidth === 640');

  // The sidebar and the browser's tab say what runs.
  for (const name of ['Forward', 'Record', 'IP camera']) expect(await tab(name).getAttribute('title')).toBe('Running');
  expect(await page.title()).toMatch(/^live\/front-door · Live · /);
  expect(faults).toEqual([]);
  await Promise.all([stranger.context().close(), page.context().close()]);
  const names = ['set up', 'camera', 'recording', 'forward', 'share'];
  return Object.fromEntries(names.map((name, at) => [name, (counts[at] ?? 0) - (counts[at - 1] ?? 0)]));
}

it('a newcomer sets up, adds a camera, records, forwards and shares it with at most 25 clicks', async () => {
  const weir = await Weir.start();
  try {
    const clicks = await firstEvening(weir);
    const total = Object.values(clicks).reduce((sum, count) => sum + count, 0);
    expect(total, JSON.stringify(clicks)).toBeLessThanOrEqual(25);
    // A counter that counts nothing would hold any limit.
    expect(Math.min(...Object.values(clicks))).toBeGreaterThan(0);
  } finally {
    await weir.close();
  }
});
