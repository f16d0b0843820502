import { appendFile } from 'node:fs/promises';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { makeFilm } from '../../apps/server/src/media-sources/media.fixture.ts';
import { until } from '../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './fixtures/browser.fixture.ts';
import { scenarioOfFile } from './fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();
beforeAll(async () => {
  // The film is padded, so it seems to have a high bit rate.
  await scenario.live.post('/terraform/v1/mgmt/limits/update', { vlive: 1_000_000 });
});

const openTab = (locale: string, options?: BrowserContextOptions) => scenario.openTab('vlive', locale, options);

/** A real film with so much room inside that it is sent in several pieces. */
async function largeFilm(): Promise<string> {
  const path = await makeFilm({ name: 'Evening concert.mp4', seconds: 3 });
  const free = Buffer.alloc(64 * 1024 * 1024);
  free.writeUInt32BE(free.length, 0);
  free.write('free', 4, 'latin1');
  await appendFile(path, free);
  return path;
}

it('a film is uploaded across a reload of the page, and plays as a live stream of this server until it is turned off', async () => {
  const film = await largeFilm();
  const { page, faults } = await openTab('en');
  const add = async () => {
    await page.getByRole('button', { name: 'Add virtual live' }).first().click();
    return page.getByRole('dialog', { name: 'Add virtual live' });
  };
  let sheet = await add();
  await sheet.getByRole('button', { name: 'Start', exact: true }).click();
  await sheet.getByText('Choose at least one file or stream.').waitFor();

  // The control plane dies after the first piece; then the page is opened anew.
  const firstPiece = page.waitForResponse(/uploads\/append\/[^/]+\/0$/);
  await sheet.getByLabel('Choose file').first().setInputFiles(film);
  await sheet.getByRole('button', { name: 'Upload', exact: true }).click();
  await firstPiece;
  process.kill(scenario.live.weir.pidOf('server'), 'SIGKILL');
  await sheet.getByText('Connection lost, retrying').waitFor();
  const { href } = new URL(page.url());
  await page.goto('about:blank');
  const isBack = () => fetch(href).then(({ ok }) => ok);
  await until(() => isBack().catch(() => false), 'the control plane is back');
  await page.goto(href);
  sheet = await add();
  await sheet.getByText('Unfinished uploads', { exact: true }).waitFor();
  await sheet.getByLabel('Choose file').first().setInputFiles(film);
  await sheet.getByText(/^\d+% already uploaded\.$/).waitFor();
  await sheet.getByRole('button', { name: 'Continue' }).click();
  await sheet.getByRole('button', { name: 'Change files' }).waitFor();
  await sheet.getByText(/^67\.\d MB · 3 sec · H\.264 · 320\s×\s180 · 25 fps, AAC stereo 44\.1\skHz$/).waitFor();

  // This server is the target unless another is chosen, under the name of the film.
  expect(await sheet.getByLabel('Stream name').inputValue()).toBe('evening-concert');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Start', exact: true }).click();
  await sheet.waitFor({ state: 'hidden' });
  const row = page.getByRole('listitem').filter({ hasText: 'Evening concert' });
  await row.getByText('Live', { exact: true }).waitFor();
  await row.getByText('this server (live/evening-concert)').waitFor();
  expect(await scenario.live.isLive('evening-concert')).toBe(true);
  await page.reload();
  await row.getByText('Live', { exact: true }).waitFor();
  await row.locator('img').waitFor();
  await expectAccessible(page);
  await row.getByRole('switch').press('Space');
  await row.getByText('Off', { exact: true }).waitFor();
  await until(async () => !(await scenario.live.isLive('evening-concert')), 'the film stops');
  expect(faults).toEqual([]);
});

it('an uploaded film is found in the library and used again, in Chinese on a phone', async () => {
  const { page, faults } = await openTab('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const add = page.getByRole('button', { name: '添加虚拟直播' }).first();
  await add.click();
  const sheet = page.getByRole('dialog', { name: '添加虚拟直播' });
  await sheet.getByRole('radio', { name: '服务器文件' }).click();
  await sheet.getByLabel('服务器上的路径').fill('/etc/passwd');
  await sheet.getByLabel('服务器上的路径').press('Enter');
  await sheet.getByText('路径必须以 /data/、upload/ 或 ./upload/ 开头。').waitFor();
  await sheet.getByRole('radio', { name: '媒体库' }).click();
  const use = sheet.getByRole('button', { name: '使用', exact: true });
  await use.waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await use.click();
  await sheet.getByRole('button', { name: '更换文件' }).waitFor();
  // Left without saving: nothing stays.
  const saved = async () =>
    Object.values<{ label: string; enabled: boolean; files: { name: string }[] }>(
      (await scenario.live.post('/terraform/v1/ffmpeg/vlive/secret')).data,
    );
  expect(await saved()).toHaveLength(2);
  await page.keyboard.press('Escape');
  await until(async () => (await saved()).length === 1, 'the unfinished one is gone');

  await add.click();
  await sheet.getByRole('radio', { name: '媒体库' }).click();
  await use.click();
  await sheet.getByLabel('流名称').fill('again');
  await sheet.getByRole('button', { name: '仅保存', exact: true }).click();
  await page.getByText('已保存', { exact: true }).first().waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'live/again' });
  await row.getByText('已停止', { exact: true }).waitFor();
  const kept = (await saved()).find(({ enabled, files }) => !enabled && files[0]?.name === 'Evening concert.mp4');
  expect(kept).toBeDefined();
  await expectNoSidewaysScroll(page);
  // A name was all it took, also when the secret was changed since.
  await scenario.live.post('/terraform/v1/hooks/srs/secret/update', { secret: 'another-secret-of-this-server' });
  await row.getByRole('switch').press('Space');
  await until(() => scenario.live.isLive('again'), 'it plays on this server', 40_000);
  expect(faults).toEqual([]);
});
