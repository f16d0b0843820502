import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AiProvider } from '../../ai-provider.fixture.ts';
import { inputs, Publisher } from '../../media/fixtures/ffmpeg.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/browser.fixture.ts';
import { scenarioOfFile } from '../fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();
let provider: AiProvider;

const openTab = (locale: string, options?: BrowserContextOptions) => scenario.openTab('ocr', locale, options);
const long = { timeout: 90_000 };

beforeAll(async () => {
  provider = await AiProvider.start();
  provider.key = 'sk-story';
});
afterAll(() => provider?.close());

it('OCR of a stream is set up, followed through the queues, seen with its image, stopped and reset', async () => {
  // Short segments, so that the story is short.
  await scenario.live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  const { page, faults } = await openTab('en');
  const head = page.getByRole('region', { name: 'Text in the video' });
  const settings = page.getByRole('region', { name: 'Settings', exact: true });

  await settings.getByRole('radio', { name: 'Own provider' }).check();
  await settings.getByRole('button', { name: 'Start OCR' }).click();
  await settings.getByText('Enter the secret key.').waitFor();
  await settings.getByLabel('Secret key').fill('sk-story');
  await settings.getByLabel('Base URL').fill(provider.baseURL);
  expect(await settings.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('gpt-4o');
  await settings.getByLabel('Prompt').fill('Which number is shown?');
  await settings.getByRole('link', { name: 'Open callback settings' }).waitFor();
  await settings.getByRole('button', { name: 'Start OCR' }).click();
  await page.getByText('Waiting for a stream').first().waitFor();
  await head.getByText(`Images are read by ${provider.host}.`).waitFor();

  const publisher = new Publisher(scenario.live.publishUrl('show'), inputs.video);
  await page.getByText('Reading live/show').waitFor(long);
  await page.getByRole('region', { name: 'Recognized text' }).getByText('WEIR 42').first().waitFor(long);
  const last = page.getByRole('region', { name: 'Last result' });
  await last.getByText('WEIR 42').waitFor(long);
  await last.getByText('Which number is shown?').waitFor();
  await last.getByText(`gpt-4o · ${provider.host}`).waitFor();
  const image = last.getByRole('img', { name: 'Image of the stream' });
  await expect
    .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth), long)
    .toBe(640);
  await page.getByRole('region', { name: 'Pipeline' }).getByRole('button', { name: 'done' }).click();
  await page.getByRole('table', { name: 'Cleanup queue' }).getByText('WEIR 42').first().waitFor(long);
  await expectAccessible(page);

  provider.mood = 'no-quota';
  await head.getByText('The account at the AI provider has no credit left.').waitFor(long);
  provider.mood = 'well';
  await head.getByText('The account at the AI provider has no credit left.').waitFor({ ...long, state: 'detached' });

  await page.getByRole('button', { name: 'Stop OCR' }).first().click();
  await page.getByText('Off', { exact: true }).first().waitFor();
  await settings.getByRole('button', { name: 'Reset' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Deletes \d+ segments/).waitFor();
  await dialog.getByRole('button', { name: 'Reset' }).click();
  await last.getByText(/^No result yet/).waitFor(long);
  expect(faults).toEqual([]);
  await publisher.stop();
  await page.context().close();
}, 300_000);

it('the OCR page is complete in Chinese, on a phone too', async () => {
  const { page, faults } = await openTab('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const settings = page.getByRole('region', { name: '设置', exact: true });
  await page.getByText('已停止', { exact: true }).first().waitFor();
  await settings.getByLabel('间隔（秒）').fill('x');
  await settings.getByRole('button', { name: '开始识别' }).click();
  await settings.getByText('请输入 0 到 3600 之间的整数。').waitFor();
  await settings.getByLabel('间隔（秒）').fill('10');
  await settings.getByRole('button', { name: '开始识别' }).click();
  await page.getByText('等待直播流').first().waitFor();
  await page.getByRole('region', { name: '处理流程' }).getByRole('button', { name: '待识别' }).click();
  await page.getByText('没有等待识别的图片。').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: '停止识别' }).first().click();
  await page.getByText('已停止', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
}, 120_000);
