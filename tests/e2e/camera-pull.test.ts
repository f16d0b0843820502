import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Live } from '../media/fixtures/live.fixture.ts';
import { RtspCamera } from '../media/fixtures/rtsp-camera.fixture.ts';
import { until } from '../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './fixtures/browser.fixture.ts';
import { Scenario } from './fixtures/scenario.fixture.ts';

/** Signs that mean something in a URL, the slash above all. */
const password = 'p@/ss?!#';
let scenario: Scenario;
let live: Live;
let camera: RtspCamera;
beforeAll(async () => {
  [scenario, camera] = await Promise.all([Scenario.start(), RtspCamera.start('Cam@Viewer', password)]);
  live = scenario.live;
});
afterAll(() => Promise.all([scenario.close(), camera.close()]));

const openTab = (locale: string, options?: BrowserContextOptions) => scenario.openTab('camera', locale, options);

it('a camera is tested by host and password, seen, published on this server with silence, and shown after a reload', async () => {
  const { page, faults } = await openTab('en');
  await page.getByRole('button', { name: 'Add camera' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Add camera' });
  await sheet.getByRole('button', { name: 'Start', exact: true }).click();
  await sheet.getByText('Enter the camera and press “Test camera”.').waitFor();
  await sheet.getByLabel('Stream URL').fill('ftp://camera.test/1');
  await sheet.getByRole('button', { name: 'Test camera' }).click();
  await sheet.getByText(/must start with rtmp:/).waitFor();
  await sheet.getByText('Host, user, password', { exact: true }).click();
  await sheet.getByLabel('Host and port').fill(`127.0.0.1:${camera.port}`);
  await sheet.getByLabel('Path').fill('picture');
  await sheet.getByLabel('User name').fill('Cam@Viewer');
  await sheet.getByLabel('Password', { exact: true }).fill(password);
  await sheet.getByRole('button', { name: 'Test camera' }).click();
  await sheet.getByText('Camera found').waitFor();
  await sheet.getByText(/^H\.264 · 640\s×\s360 · [\d.]+ fps, no audio$/).waitFor();
  const seen = sheet.getByAltText('What the camera shows');
  await seen.waitFor();
  expect(await page.evaluate<number>("document.querySelector('img[alt^=\\'What\\']').naturalWidth")).toBe(640);
  await sheet.getByLabel('Extra audio').selectOption('Silence');
  await sheet.getByLabel('Name', { exact: true }).fill('Front door');
  await sheet.getByText('live/front-door').waitFor();
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Start', exact: true }).click();
  await sheet.waitFor({ state: 'hidden' });
  const row = page.getByRole('listitem').filter({ hasText: 'Front door' });
  await row.getByText('Live', { exact: true }).waitFor();
  await until(() => live.isLive('front-door'), 'the camera plays');

  await page.reload();
  await row.getByText('Live', { exact: true }).waitFor();
  await row.getByText(`127.0.0.1:${camera.port}`).waitFor();
  await row.getByRole('button', { name: 'Front door', exact: true }).click();
  await row.getByText('Extra audio: Silence').waitFor();
  await row.getByText('Output: live/front-door').waitFor();
  expect(await page.locator('main').textContent()).not.toContain('p@/ss');
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});

it('the URL of a camera works with a slash in its password too, and is sent to a server of choice', async () => {
  const { page, faults } = await openTab('en');
  await page.getByRole('button', { name: 'Add camera' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Add camera' });
  await sheet.getByLabel('Stream URL').fill(camera.url('/picture', `Cam@Viewer:${password}`));
  await sheet.getByRole('button', { name: 'Test camera' }).click();
  await sheet.getByText('Camera found').waitFor();
  await sheet.getByRole('radio', { name: 'Another server' }).click();
  await sheet.getByLabel('Server address').fill(`rtmp://127.0.0.1:${live.weir.rtmpPort}/live`);
  await sheet.getByLabel('Stream key', { exact: true }).fill(`cam?secret=${live.secret}`);
  await sheet.getByRole('button', { name: 'Start', exact: true }).click();
  await until(() => live.isLive('cam'), 'the camera plays');
  expect(faults).toEqual([]);
  await page.context().close();
});

it('the camera tab fits a phone in Chinese, is accessible, and shows why an address cannot be used', async () => {
  const { page, faults } = await openTab('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await page.getByRole('button', { name: '添加摄像头' }).first().click();
  const sheet = page.getByRole('dialog', { name: '添加摄像头' });
  await sheet.getByLabel('直播流地址').fill(`rtsp://127.0.0.1:${camera.port}/picture`);
  await sheet.getByRole('button', { name: '测试摄像头' }).click();
  const alert = sheet.getByRole('alert');
  await alert.waitFor();
  const refusal = await alert.textContent();
  expect(refusal).toContain('401');
  // Problem and remedy.
  expect(refusal).toContain('用户名或密码不正确。');
  expect(refusal).toContain('再重新填写');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
