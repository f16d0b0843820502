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

it('a film is uploaded across a reload of the page, and plays as a live stream until it is stopped', async () => {
  const film = await largeFilm();
  const { page, faults } = await openTab('en');
  const slot = page.getByRole('region', { name: 'YouTube' });
  await slot.getByRole('button', { name: 'Start', exact: true }).click();
  await slot.getByText('Choose at least one file or stream.').waitFor();
  await slot.getByText('Enter the server address.').waitFor();

  // The control plane dies after the first piece; then the page is opened anew.
  const firstPiece = page.waitForResponse(/uploads\/append\/[^/]+\/0$/);
  await slot.getByLabel('Choose file').first().setInputFiles(film);
  await slot.getByRole('button', { name: 'Upload', exact: true }).click();
  await firstPiece;
  process.kill(scenario.live.weir.pidOf('server'), 'SIGKILL');
  await slot.getByText('Connection lost, retrying').waitFor();
  const { href } = new URL(page.url());
  await page.goto('about:blank');
  const isBack = () => fetch(href).then(({ ok }) => ok);
  await until(() => isBack().catch(() => false), 'the control plane is back', 30_000);
  await page.goto(href);
  await slot.getByText('Unfinished uploads', { exact: true }).waitFor();
  await slot.getByLabel('Choose file').first().setInputFiles(film);
  await slot.getByText(/^\d+% already uploaded\.$/).waitFor();
  await slot.getByRole('button', { name: 'Continue' }).click();
  await slot.getByRole('button', { name: 'Change files' }).waitFor();
  await slot.getByText(/^File 67\.\dMB 3\.\ds .*Video\(h264 .* 320x180\), Audio\(aac 44100HZ 2CH\)$/).waitFor();

  await slot.getByLabel('YouTube server address').fill(`rtmp://127.0.0.1:${scenario.live.weir.rtmpPort}/live`);
  await slot.getByLabel('Stream key').fill(`show?secret=${scenario.live.secret}`);
  await slot.getByRole('button', { name: 'Start', exact: true }).click();
  await slot.getByText('Live', { exact: true }).first().waitFor();
  expect(await scenario.live.isLive('show')).toBe(true);
  await page.reload();
  const status = page.getByRole('region', { name: 'Status' });
  await status.getByText('Evening concert.mp4').waitFor();
  await status.getByText('Live', { exact: true }).first().waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'YouTube', exact: true }).click();
  await slot.getByRole('button', { name: 'Stop', exact: true }).click();
  await slot.getByText('Off', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
});

it('an uploaded film is found in the library and used again, in Chinese on a phone', async () => {
  const { page, faults } = await openTab('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await page.getByRole('button', { name: '添加目标' }).click();
  await page.getByRole('menuitem', { name: '虚拟直播 #4' }).click();
  const slot = page.getByRole('region', { name: '虚拟直播 #4' });
  await slot.getByRole('radio', { name: '服务器文件' }).click();
  await slot.getByLabel('服务器上的路径').fill('/etc/passwd');
  await slot.getByLabel('服务器上的路径').press('Enter');
  await slot.getByText('路径必须以 /data/、upload/ 或 ./upload/ 开头。').waitFor();
  await slot.getByRole('radio', { name: '媒体库' }).click();
  await slot.getByText('Evening concert.mp4').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await slot.getByRole('button', { name: '使用', exact: true }).click();
  await slot.getByRole('button', { name: '更换文件' }).waitFor();
  await slot.getByRole('radio', { name: '本服务器' }).click();
  await slot.getByLabel('流名称').fill('again');
  await slot.getByRole('button', { name: '保存', exact: true }).click();
  await page.getByText('已保存', { exact: true }).waitFor();
  const { data } = await scenario.live.post('/terraform/v1/ffmpeg/vlive/secret');
  const saved = Object.values<{ label: string; files: { name: string }[] }>(data).find(
    ({ label }) => label === '虚拟直播 #4',
  );
  expect(saved?.files.map(({ name }) => name)).toEqual(['Evening concert.mp4']);
  await expectNoSidewaysScroll(page);
  // A name was all it took, also when the secret was changed since.
  await scenario.live.post('/terraform/v1/hooks/srs/secret/update', { secret: 'another-secret-of-this-server' });
  await slot.getByRole('button', { name: '开始', exact: true }).click();
  await until(() => scenario.live.isLive('again'), 'it plays on this server', 40_000);
  expect(faults).toEqual([]);
});
