import type { BrowserContextOptions } from 'playwright-core';
import { expect, it } from 'vitest';
import { inputs, Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './fixtures/browser.fixture.ts';
import { scenarioOfFile } from './fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();

const openTab = (locale: string, options?: BrowserContextOptions) => scenario.openTab('transcode', locale, options);

it('a stream is transcoded, watched in place, found again after a reload, and stopped', async () => {
  const { page, faults } = await openTab('en');
  const status = page.getByRole('region', { name: 'Status' });
  await page.getByText('Off', { exact: true }).first().waitFor();
  await page.getByLabel('Video bitrate').fill('50');
  await page.getByRole('button', { name: 'Start transcoding' }).click();
  await page.getByText('Invalid vbitrate 50, should be in [100, 100000] Kbps').waitFor();
  await page.getByLabel('Video bitrate').fill('300');
  await page.getByLabel('Video preset').selectOption('ultrafast');
  // This server, by a name alone: whatever port it is known by outside.
  expect(await page.getByLabel('Stream name').inputValue()).toBe('livestream-trans');
  await page.getByLabel('Stream name').fill('small');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByText('Off', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Start transcoding' }).click();
  await status.getByText('Waiting for a source').first().waitFor();

  const publisher = new Publisher(scenario.live.publishUrl('livestream'), inputs.both);
  await status.getByText('Live', { exact: true }).first().waitFor();
  await status.getByText('live/livestream', { exact: true }).first().waitFor();
  await status.getByText('rtmp://localhost/live/small?secret=***').waitFor();
  await status.getByRole('button', { name: 'Play' }).first().click();
  await expect.poll(() => page.evaluate<number>("document.querySelector('video').currentTime")).toBeGreaterThan(1);

  await page.reload();
  await status.getByText('Live', { exact: true }).first().waitFor();
  await expectAccessible(page);
  await status.getByRole('button', { name: 'Log of Transcode' }).click();
  await page
    .getByRole('dialog')
    .getByText(/started$/m)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  expect(await page.getByLabel('Video bitrate').inputValue()).toBe('300');
  await page.getByText('Ladder', { exact: true }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Preset').selectOption('For a 480p source');
  await page.getByLabel('Encoding speed').selectOption('ultrafast');
  await page.getByRole('button', { name: 'Measure cost' }).click();
  await page.getByText(/% of a core needed/).waitFor();
  await expectAccessible(page);
  // Other tests keep this machine busy.
  await page.getByLabel('Make every quality').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const made = page.getByRole('table', { name: 'Qualities of live/livestream' });
  await made.getByRole('row', { name: /240p 350 kbit\/s \d+ kbit\/s/ }).waitFor();
  await page.getByText('Used automatically').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'More actions for /live/*' }).click();
  await page.getByRole('menuitem', { name: 'Remove rule' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove rule' }).click();
  await page.getByText('No rules yet').waitFor();
  await page.getByText('One output', { exact: true }).click();

  await page.getByRole('button', { name: 'Stop transcoding' }).click();
  await page.getByText('Off', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
  await publisher.stop();
  await page.context().close();
});

it('the transcode page is complete in Chinese, on a phone too', async () => {
  const { page, faults } = await openTab('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await page.getByLabel('视频码率').waitFor();
  await page.getByText('已停止', { exact: true }).first().waitFor();
  await page.getByLabel('视频码率').fill('1');
  await page.getByRole('button', { name: '开始转码' }).click();
  await page.getByText('无效的 vbitrate 1，应在 [100, 100000] Kbps 之间').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
