import { expect, it, onTestFinished } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll } from './fixtures/browser.fixture.ts';
import { scenarioOfFile } from './fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();

const saved = { platform: 'wx', server: 'rtmp://127.0.0.1:9/live', secret: 'show' };
const save = (fields: object) =>
  scenario.live.post('/terraform/v1/ffmpeg/forward/secret', { action: 'update', ...saved, ...fields });

it('a forward that fails shows in the overview, the strip and the rail, leads to its tab, and is gone once mended', async () => {
  const { page, faults } = await scenario.openTab('overview', 'en');
  const alerts = page.getByRole('region', { name: 'Alerts' });
  const strip = page.getByRole('complementary', { name: 'Server status' });
  const tab = page.getByRole('tab', { name: 'Forward', exact: true });
  await alerts.getByText('Nothing needs your attention.').waitFor();
  await strip.getByText('No alerts').waitFor();

  await save({ enabled: true });
  const publisher = new Publisher(scenario.live.publishUrl('show'));
  onTestFinished(() => publisher.stop('SIGKILL'));
  await alerts.getByText('Forwarding to YouTube is failing').waitFor();
  await alerts.getByText(/^The connection was refused\./).waitFor();
  await strip.getByText('Alerts: 1').waitFor();
  await strip.getByText('Needs attention').waitFor();
  expect(await tab.getAttribute('data-mark')).toBe('bad');
  expect(await tab.getAttribute('title')).toBe('1 alert');
  await expectAccessible(page);

  await alerts.getByRole('link', { name: 'Open Forward' }).click();
  await page.waitForURL(/tab=forward/);
  await save({
    enabled: true,
    server: `rtmp://127.0.0.1:${scenario.live.weir.rtmpPort}/live`,
    secret: `copy?secret=${scenario.live.secret}`,
  });
  await strip.getByText('No alerts').waitFor();
  expect(await tab.getAttribute('data-mark')).toBeNull();
  expect(faults).toEqual([]);
  await page.context().close();
});

it('whoever signs in now comes to the overview, and fits a phone in the dark', async () => {
  await save({ enabled: true });
  const publisher = new Publisher(scenario.live.publishUrl('again'));
  onTestFinished(() => publisher.stop('SIGKILL'));
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const { page, faults } = await scenario.openTab('overview', 'zh', options);
  await page.goto(`${scenario.live.weir.origin}/mgmt/zh/routers-scenario`);
  await page.getByRole('tab', { name: '概览', selected: true }).waitFor();
  await page.getByRole('region', { name: '告警' }).getByText('转推到“视频号”失败').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
