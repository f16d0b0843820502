import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { Publisher } from '../../media/fixtures/ffmpeg.fixture.ts';
import { expectHealthy } from '../../media/fixtures/healthy.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/browser.fixture.ts';
import { scenarioOfFile } from '../fixtures/scenario.fixture.ts';
import { textsIn } from '../fixtures/texts.fixture.ts';

const scenario = scenarioOfFile();
const key = 'sk_live_1234567890abcdef';
const change = (path: string, body: object) => scenario.live.post(`/terraform/v1/${path}`, body);

/** Good; but what a busy machine does to a publisher stays on its record for a minute, and longer on that of its broadcast. */
async function verdictOf(stream: string, locale: 'en' | 'zh') {
  const { verdicts, verdict } = await expectHealthy(scenario.live, stream);
  const word = textsIn(locale);
  return { noted: word(`diagnose.verdict.${verdicts.at(-1)}`), whole: word(`diagnose.verdict.${verdict}`) };
}

it('the timeline follows a broadcast live, reports it without secrets, and keeps it when it is over', async () => {
  await change('ffmpeg/forward/secret', {
    action: 'update',
    platform: 'wx',
    server: 'rtmp://127.0.0.1:9/live',
    secret: key,
    enabled: false,
  });
  const publisher = new Publisher(scenario.live.publishUrl('show'));
  onTestFinished(() => publisher.stop('SIGKILL'));
  const { page, faults } = await scenario.openTab('overview', 'en');
  const broadcasts = page.getByRole('region', { name: 'Broadcasts' });
  await broadcasts.getByRole('link').first().click();
  await page.waitForURL(/tab=overview&broadcast=\d+#timeline$/);

  const entries = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
  const entry = (text: string) => entries.filter({ hasText: text });
  await entry('Publisher connected').getByText('RTMP').waitFor();
  await entry('Format')
    .getByText(/640\s×\s360/)
    .waitFor();
  await entry((await verdictOf('show', 'en')).noted)
    .last()
    .waitFor();
  await change('ffmpeg/forward/secret', {
    action: 'update',
    platform: 'wx',
    server: 'rtmp://127.0.0.1:9/live',
    secret: key,
    enabled: true,
  });
  await entry('Settings changed').getByText('Forward').waitFor();
  await entry('Forward (YouTube) failed').first().getByText('The connection was refused.').waitFor();
  await page.getByLabel('Show', { exact: true }).selectOption('Publisher');
  await until(async () => (await entry('Settings changed').count()) === 0, 'the filter works');
  expect(await entry('Publisher connected').count()).toBe(1);
  await page.getByLabel('Show', { exact: true }).selectOption('Everything');
  await expectAccessible(page);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download report' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^report-live-show-.*\.json$/);
  const text = readFileSync(await download.path(), 'utf8');
  const { secret } = scenario.live;
  for (const hidden of [key, secret, scenario.live.headers.authorization.slice(7)]) expect(text).not.toContain(hidden);
  expect(JSON.parse(text)).toMatchObject({ format: 1, settings: { forward: { destinations: [{ platform: 'wx' }] } } });

  await publisher.stop('SIGTERM');
  await entry('Publisher disconnected').waitFor();
  await page.goBack();
  await broadcasts.getByText((await verdictOf('show', 'en')).whole, { exact: true }).waitFor();
  await until(async () => (await broadcasts.getByText('Live now').count()) === 0, 'the list knows that it is over');
  expect(faults).toEqual([]);
});

it('the palette reaches pages, streams and actions by the keyboard, in both languages', async () => {
  const publisher = new Publisher(scenario.live.publishUrl('second'));
  onTestFinished(() => publisher.stop('SIGKILL'));
  const { page, faults } = await scenario.openTab('tutorials', 'zh');
  await page.getByRole('button', { name: '前往…' }).waitFor();
  const choose = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type(text);
    await page.getByRole('option', { name: option, selected: true }).waitFor();
  };
  await choose('转推', /转推/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await choose('second', /live\/second/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/zh\/routers-scenario\?tab=live&stream=live\/second$/);
  await choose('场次', /直播场次/);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: '直播场次' }).getByRole('link').first().click();
  const entries = page.getByRole('list', { name: '时间线' }).getByRole('listitem');
  await entries.filter({ hasText: '推流端已连接' }).waitFor();
  await entries
    .filter({ hasText: (await verdictOf('second', 'zh')).noted })
    .last()
    .waitFor();
  await choose('english', /English/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/en\//);
  await page.setViewportSize({ width: 390, height: 844 });
  await entries.first().waitFor({ state: 'detached' });
  await page.getByRole('list', { name: 'Timeline' }).waitFor();
  await expectNoSidewaysScroll(page);
  await choose('callback', /Callback/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/en\/routers-settings\?tab=callback$/);
  expect(faults).toEqual([]);
});
