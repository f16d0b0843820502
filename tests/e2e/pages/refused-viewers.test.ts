import type { Page } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { Publisher } from '../../media/fixtures/ffmpeg.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, openPage, videoIs } from '../fixtures/browser.fixture.ts';
import { scenarioOfFile } from '../fixtures/scenario.fixture.ts';

const scenario = scenarioOfFile();
const phone = { viewport: { width: 390, height: 844 } };

beforeAll(async () => {
  await scenario.live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
});

async function publish(name: string): Promise<void> {
  const publisher = new Publisher(scenario.live.publishUrl(name));
  onTestFinished(() => publisher.stop('SIGKILL'));
  await until(() => scenario.live.isLive(name), 'live');
}

async function visit(url: string, options: object = {}): Promise<Page> {
  const watched = await openPage(scenario.browser, options);
  onTestFinished(() => watched.page.context().close());
  await watched.page.goto(url);
  return watched.page;
}

async function makeLink(stream: string): Promise<{ id: string; token: string; playback: string }> {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { data } = await scenario.live.post('/terraform/v1/mgmt/access/link', { app: 'live', stream, expiresAt });
  return data;
}

it.each([
  ['.flv', 'en-US', 'Your access was revoked'],
  ['.ll.m3u8', 'zh-CN', '您的观看权限已被收回'],
  ['.m3u8', 'en-US', 'Your access was revoked'],
])(
  'the player page ends the video of a revoked link over %s within two seconds, and says so (%s)',
  async (suffix, locale, text) => {
    const name = `player${suffix.replaceAll('.', '-')}`;
    await publish(name);
    await scenario.live.post('/terraform/v1/mgmt/access/update', { pattern: `/live/${name}`, mode: 'link' });
    const { id, token, playback } = await makeLink(name);
    const { origin } = scenario.live.weir;
    const media = `${origin}/play/${playback}${suffix}?token=${token}`;
    const page = await visit(`${origin}/tools/player.html?url=${encodeURIComponent(media)}`, { locale });
    await videoIs(page, 'video.currentTime > 1');
    await scenario.live.post('/terraform/v1/mgmt/access/revoke', { id });
    const revokedMs = performance.now();
    await page.getByText(text).waitFor();
    expect(performance.now() - revokedMs).toBeLessThan(2000);
    await expectAccessible(page);
  },
);

it('the player page asks for the password of a stream, and plays with it', async () => {
  await publish('asked');
  const rule = { pattern: '/live/asked', mode: 'password', password: 'open sesame' };
  await scenario.live.post('/terraform/v1/mgmt/access/update', rule);
  const { origin } = scenario.live.weir;
  const media = encodeURIComponent(`${origin}/live/asked.flv`);
  const page = await visit(`${origin}/tools/player.html?url=${media}`, { ...phone, locale: 'zh-CN' });
  await page.getByText('此直播需要密码').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByLabel('密码', { exact: true }).fill('guess');
  await page.getByRole('button', { name: '观看', exact: true }).click();
  await page.getByText('密码错误。').waitFor();
  await page.getByLabel('密码', { exact: true }).fill('open sesame');
  await page.keyboard.press('Enter');
  await videoIs(page, 'video.currentTime > 1');
});
