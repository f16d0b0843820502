import type { BrowserContextOptions, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AiProvider } from '../../ai-provider.fixture.ts';
import { Publisher } from '../../media/fixtures/ffmpeg.fixture.ts';
import { spokenFile } from '../../media/fixtures/speech.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, videoIs } from '../fixtures/browser.fixture.ts';
import { scenarioOfFile } from '../fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();
let provider: AiProvider;

const openTab = (locale: string, options?: BrowserContextOptions) => scenario.openTab('transcript', locale, options);
const long = { timeout: 90_000 };

beforeAll(async () => {
  provider = await AiProvider.start();
  provider.key = 'sk-story';
  provider.reply = (message) =>
    message.replace(/^.*Translate:\n/s, '').replaceAll(/\| .*$/gm, '| Guten Abend zusammen');
});
afterAll(() => provider?.close());

it('speech becomes subtitles: set up, followed through the queues, corrected, watched, stopped and reset', async () => {
  // Short segments, so that the story is short.
  await scenario.live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  const { page, faults } = await openTab('en');
  const head = page.getByRole('region', { name: 'Live subtitles' });
  const settings = page.getByRole('region', { name: 'Settings', exact: true });
  const pipeline = page.getByRole('region', { name: 'Pipeline', exact: true });
  await page.getByText('Off', { exact: true }).first().waitFor();

  await settings.getByRole('radio', { name: 'Own provider' }).check();
  await settings.getByRole('button', { name: 'Test connection' }).click();
  await settings.getByText('Enter the secret key.').waitFor();
  await settings.getByLabel('Secret key').fill('sk-story');
  await settings.getByLabel('Base URL').fill(provider.baseURL.replace('/v1', ''));
  await settings.getByRole('button', { name: 'Test connection' }).click();
  await settings.getByText('should be http(s)://your-server/v1').waitFor();
  await settings.getByLabel('Base URL').fill(provider.baseURL);
  await settings.getByRole('button', { name: 'Test connection' }).click();
  await settings.getByText(/^Test passed/).waitFor();
  await settings.getByText(`Sent to ${provider.host}`).waitFor();

  expect(await settings.getByLabel('Language').inputValue()).toBe('en');
  await settings.getByLabel('Translate into').selectOption('de');
  await settings.getByRole('button', { name: 'Remove Deutsch' }).waitFor();
  await settings.getByLabel('Time to review').fill('15');
  await settings.getByLabel('Position').selectOption('Top center');
  expect(await settings.getByLabel('Style', { exact: true }).inputValue()).toBe('Alignment=6,MarginV=20');
  await settings.getByLabel('Video codec parameters').fill('-vf crop=1:1');
  await settings.getByRole('button', { name: 'Start transcription' }).click();
  await settings.getByText(/^Invalid parameters/).waitFor();
  await settings.getByLabel('Video codec parameters').fill('-c:v libx264 -preset:v ultrafast');
  await settings.getByRole('button', { name: 'Start transcription' }).click();
  await page.getByText('Waiting for a stream').first().waitFor();

  const { path } = await spokenFile();
  const publisher = new Publisher(scenario.live.publishUrl('show'), ['-stream_loop', '-1', '-i', path, '-c', 'copy']);
  await head.getByText('live/show').waitFor(long);
  await head.getByText(/^Subtitles are .* behind the speech\.$/).waitFor(long);

  const captions = head.getByLabel("Show subtitles in the stream's own players");
  // Not `check`, which looks before a busy page has drawn itself again.
  await captions.click();
  await page.getByText('Saved', { exact: true }).last().waitFor();
  await expect.poll(() => captions.isChecked(), long).toBe(true);

  await head.getByText(`Subtitles are translated by ${provider.host}.`, { exact: false }).waitFor();
  await head.getByText(/^Deutsch: translated within /).waitFor(long);
  const watching = await page.context().newPage();
  await watching.goto(`${scenario.live.weir.origin}/tools/player.html?url=${scenario.live.http('show', '.flv')}`);
  await watching.getByRole('button', { name: 'Subtitles', exact: true }).click(long);
  await watching.getByRole('button', { name: 'Deutsch' }).click();
  await watching.locator('[data-captions]').getByText('Guten Abend zusammen').first().waitFor(long);
  await watching.close();

  // The picture has the text on top, and the transcript runs beside it.
  await videoIs(page, 'video.currentTime > 1');
  const running = page.getByRole('region', { name: 'Running transcript' });
  await running
    .getByRole('button', { name: /^Edit: .*good evening everybody/i })
    .last()
    .click(long);
  await running.getByLabel('Subtitle text').fill('Good evening, neighbours');
  await running.getByLabel('Subtitle text').press('Enter');
  const corrected = running.getByRole('listitem').filter({ hasText: 'Good evening, neighbours' });
  await corrected.getByText('Edited').first().waitFor(long);
  await running.getByRole('button', { name: 'Deutsch' }).click();
  await running.getByText('Guten Abend zusammen').first().waitFor(long);
  await expectAccessible(page);

  await pipeline.getByRole('button', { name: 'to review' }).click();
  const review = page.getByRole('table', { name: 'Review queue' });
  const heard = rowsWith(review, 'good evening everybody');
  await heard.last().getByRole('button', { name: 'Edit' }).first().click(long);
  await review.getByLabel('Subtitle text').fill('Good evening, Weir');
  await review.getByLabel('Subtitle text').press('Enter');
  await rowsWith(review, 'Good evening, Weir').first().getByText('Edited').waitFor();
  await heard.last().getByRole('button', { name: 'Clear subtitle' }).click(long);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No subtitle will be shown for this segment.').waitFor();
  await dialog.getByRole('button', { name: 'Clear subtitle' }).click();
  await review.locator('del').first().waitFor();

  await pipeline.getByRole('button', { name: 'on air' }).click();
  const output = page.getByRole('table', { name: 'Output queue' });
  await rowsWith(output, 'Good evening, Weir').first().waitFor(long);
  await output.locator('del').first().waitFor(long);
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Watch links' }).click();
  const link = page.getByRole('link', { name: 'Open: With a WebVTT subtitles track' });
  const address = page.getByLabel('With a WebVTT subtitles track', { exact: true });
  const [player] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await videoIs(player, 'video.currentTime > 1');
  // The language that was chosen on the other page is remembered, and the CC button turns it off.
  const words = player.locator('[data-captions]');
  await words.first().waitFor(long);
  expect(await words.getAttribute('lang')).toBe('de');
  await player.getByRole('button', { name: 'Subtitles', exact: true }).click();
  await player.getByRole('button', { name: 'Off', exact: true }).click();
  await words.waitFor({ state: 'detached' });
  await player.close();

  const before = await address.inputValue();
  await page.getByRole('button', { name: 'Stop transcription' }).first().click();
  await page.getByText('Off', { exact: true }).first().waitFor();
  await pipeline.getByText(/^Stopped: nothing is being processed/).waitFor();
  await settings.getByRole('button', { name: 'Reset' }).click();
  await dialog.getByText(/^Deletes \d+ segments/).waitFor();
  await dialog.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(() => address.inputValue(), long).not.toBe(before);
  await expect.poll(async () => (await fetch(before)).status, long).toBe(404);
  expect(faults).toEqual([]);
  await publisher.stop();
  await page.context().close();
}, 300_000);

it('the transcript page is complete in Chinese, on a phone too', async () => {
  const { page, faults } = await openTab('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const head = page.getByRole('region', { name: '实时字幕' });
  const settings = page.getByRole('region', { name: '设置', exact: true });
  await page.getByText('已停止', { exact: true }).first().waitFor();
  await settings.getByLabel('接口地址').fill('http://a.test');
  await settings.getByRole('button', { name: '测试连接' }).click();
  await settings.getByText('接口地址无效，应为 http(s)://your-server/v1').waitFor();
  await settings.getByLabel('接口地址').fill(provider.baseURL);
  await settings.getByRole('button', { name: '开始识别' }).click();
  await page.getByText('等待直播流').first().waitFor();
  await head.getByText(`语音由 ${provider.host} 识别。`).waitFor();
  await page.getByRole('region', { name: '处理流程' }).getByRole('button', { name: '待校对' }).click();
  await page.getByText('没有待校对的字幕。').waitFor();
  await settings.getByText('欢迎收看本次直播').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: '停止识别' }).first().click();
  await page.getByText('已停止', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
}, 120_000);

function rowsWith(table: Locator, text: string): Locator {
  return table.getByRole('row').filter({ hasText: text });
}
