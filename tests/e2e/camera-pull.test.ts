import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Live } from '../media/fixtures/live.fixture.ts';
import { RtspCamera } from '../media/fixtures/rtsp-camera.fixture.ts';
import { until } from '../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './fixtures/browser.fixture.ts';
import { Scenario } from './fixtures/scenario.fixture.ts';

const login = 'Cam@Viewer:p@ss?!#';
let scenario: Scenario;
let live: Live;
let camera: RtspCamera;
beforeAll(async () => {
  [scenario, camera] = await Promise.all([Scenario.start(), RtspCamera.start('Cam@Viewer', 'p@ss?!#')]);
  live = scenario.live;
});
afterAll(() => Promise.all([scenario.close(), camera.close()]));

const openTab = (locale: string, options?: BrowserContextOptions) => scenario.openTab('camera', locale, options);

it('a camera is entered by its address, probed, sent to this server with silence, and shown after a reload', async () => {
  const { page, faults } = await openTab('en');
  const slot = page.getByRole('region', { name: 'YouTube', exact: true });
  const address = slot.getByLabel('Stream URL');
  await slot.getByRole('button', { name: 'Start' }).click();
  await slot.getByText('Enter the camera URL and press Use.').waitFor();
  await address.fill('ftp://camera.test/1');
  await slot.getByRole('button', { name: 'Use' }).click();
  await slot.getByText(/must start with rtmp:/).waitFor();
  // Typed before the camera is taken, and still there afterwards.
  await slot.getByLabel('YouTube server address').fill(`rtmp://127.0.0.1:${live.weir.rtmpPort}/live`);
  await slot.getByLabel('Stream key', { exact: true }).fill(`cam?secret=${live.secret}`);
  await slot.getByLabel('Extra audio').selectOption('Silence');
  await address.fill(camera.url('/picture', login));
  await slot.getByRole('button', { name: 'Use' }).click();
  await slot.getByText(/Video\(h264 .*640x360\), NoAudio/).waitFor();
  await slot.getByRole('button', { name: 'Start' }).click();
  await slot.getByText('Live', { exact: true }).first().waitFor();
  await until(() => live.isLive('cam'), 'the camera plays');

  await page.reload();
  const table = page.getByRole('table', { name: 'Status' });
  await table.getByText('Extra audio: Silence').waitFor();
  expect(await table.textContent()).not.toContain('p@ss');
  expect(faults).toEqual([]);
  await page.context().close();
});

it('the camera tab fits a phone in Chinese, is accessible, and shows why an address cannot be used', async () => {
  const { page, faults } = await openTab('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const slot = page.locator('section[data-key="4"]');
  await page.getByRole('button', { name: '添加目标' }).click();
  await page.getByRole('menuitem', { name: '其他服务器' }).click();
  await slot.getByLabel('直播流地址').fill(`rtsp://127.0.0.1:${camera.port}/picture`);
  await slot.getByRole('button', { name: '使用' }).click();
  await slot.getByRole('alert').waitFor();
  const refusal = await slot.getByRole('alert').textContent();
  expect(refusal).toContain('401');
  // Problem and remedy.
  expect(refusal).toContain('用户名或密码不正确。');
  expect(refusal).toContain('rtsp://用户名:密码@主机/…');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
