import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { inputs, Publisher } from '../../media/fixtures/ffmpeg.fixture.ts';
import { FlvViewer } from '../../media/fixtures/live.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, openPage, videoIs } from '../fixtures/browser.fixture.ts';
import { scenarioOfFile } from '../fixtures/scenario.fixture.ts';
import { textsIn } from '../fixtures/texts.fixture.ts';

const scenario = scenarioOfFile();

async function publish(name: string, input: readonly string[] = inputs.both): Promise<Publisher> {
  const publisher = new Publisher(scenario.live.publishUrl(name), input);
  onTestFinished(() => publisher.stop('SIGKILL'));
  await until(() => scenario.live.isLive(name), 'live');
  return publisher;
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Title of the page with state and origin. */
const title = (page: Page, name: string) =>
  page.locator('main header').filter({ has: page.getByRole('heading', { level: 1, name, exact: true }) });

/** True if a chart has a coloured line: more than one hue among its opaque pixels. */
const drawn = `[...document.querySelectorAll('figure canvas')].filter((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200 && Math.abs(data[at] - data[at + 2]) > 60) return true;
  return false;
}).length`;

it('the page of a stream is found, watched, measured, shared and left again', async () => {
  const publisher = await publish('show');
  const viewer = await FlvViewer.open(scenario.live.http('show', '.flv'));
  const { page, faults } = await scenario.openTab('overview', 'en');
  await page.getByRole('link', { name: 'live/show' }).first().click();
  const head = title(page, 'live/show');
  await head.getByText('Live', { exact: true }).waitFor();
  await head.getByText(/^RTMP from 127\.0\.0\.1 · H\.264 .* · 640\s×\s360 · /).waitFor();
  expect(new URL(page.url()).search).toBe('?tab=live&stream=live/show');
  await videoIs(page, 'video.currentTime > 1');
  await region(page, 'Health').getByText('No problems found.').waitFor();
  await page.getByText('Updated every second', { exact: true }).waitFor();

  // Bitrate, frames, keyframes, what is sent, and the delay of the player on the page.
  await until(async () => (await page.evaluate<number>(drawn)) >= 5, 'charts');
  const bitrate = page.locator('figure', { hasText: 'Bitrate' });
  await bitrate.locator('.u-over').hover();
  await page.mouse.move(0, 0);
  const box = await bitrate.locator('.u-over').boundingBox();
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 4, (box?.y ?? 0) + 20);
  const fps = page.locator('figure', { hasText: 'Frame rate' });
  await fps.getByText(/^\d\d:\d\d:\d\d · 2\d(\.\d)? fps$/).waitFor();
  await page.mouse.move(0, 0);
  await page.getByText('Statistics as a table').click();
  await page.getByRole('row', { name: /^Viewers \d/ }).waitFor();
  await page.getByText('24 hours').click();
  await until(() => page.url().endsWith('&span=24h'), 'the range is in the address');
  await page.getByText('5 min', { exact: true }).click();

  // The console's own picture is nobody who watches; who does can be sent away.
  const viewers = region(page, 'Viewers');
  await viewers.getByRole('cell', { name: '127.0.0.1', exact: true }).waitFor();
  expect(await viewers.getByRole('row').count()).toBe(2);
  await viewers.getByRole('button', { name: 'Disconnect viewer 127.0.0.1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click();
  await until(() => viewer.hasEnded, 'the viewer is gone');
  await viewers.getByText('Nobody is watching').waitFor();
  await region(page, 'Outputs').getByText('HLS', { exact: true }).waitFor();
  await expectAccessible(page);
  await expectRecorded(page);

  const code = await page.getByRole('textbox', { name: 'Embed code' }).inputValue();
  await expectEmbedded(code);

  await publisher.stop();
  await head.getByText(/^Ended \d\d:\d\d after/).waitFor();
  await region(page, 'live/show').getByText('This stream is not live').waitFor();
  // The last picture instead of a black box.
  const last = region(page, 'live/show').locator('img');
  await until(
    () => last.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
    'the last picture',
  );
  await page.goBack();
  await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

/** The tile records this stream alone, and ends the recording again. */
async function expectRecorded(page: Page): Promise<void> {
  const { live } = scenario;
  const settings = async () => (await live.post('/terraform/v1/hooks/record/query')).data;
  await page.getByRole('button', { name: 'Record Off' }).click();
  await page.getByRole('button', { name: /^Recording \d+:\d\d$/ }).waitFor();
  expect(await settings()).toMatchObject({ all: true, globs: ['/live/show'] });
  await region(page, 'Outputs').getByText('Recordings', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Recording \d+:\d\d$/ }).click();
  await page.getByRole('button', { name: 'Record Off' }).waitFor();
  expect(await settings()).toMatchObject({ all: false, globs: [] });
  const [recording] = (await live.post('/terraform/v1/hooks/record/files')).data;
  expect(recording).toMatchObject({ stream: 'show' });
  expect(recording.endedAt).not.toBe('');
}

/** A web site of another origin shows the player, and it plays inside the sandbox. */
async function expectEmbedded(code: string): Promise<void> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>A site</title>${code}`);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { page } = await openPage(scenario.browser);
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  const seconds = () =>
    page
      .frameLocator('iframe')
      .locator('video')
      .evaluate((video) => (video as unknown as { currentTime: number }).currentTime);
  await until(async () => (await seconds()) > 0.5, 'the frame plays');
  await page.context().close();
  site.close();
  site.closeAllConnections();
}

it('the page of a stream is complete in Chinese, on a phone too', async () => {
  const text = textsIn('zh');
  // The last of two values is the one that ffmpeg takes: a keyframe every ten seconds.
  await publish('晚间', [...inputs.both, '-g', '250']);
  const { page, faults } = await scenario.openTab('live&stream=live/晚间#timeline', 'zh', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await title(page, 'live/晚间').getByText(text('live.watch.live'), { exact: true }).waitFor();
  await region(page, text('streamPage.health')).getByText(text('diagnose.issue.keyframes-far.title')).waitFor();
  await region(page, text('streamPage.health')).getByText(text('diagnose.issue.keyframes-far.remedy')).waitFor();
  await until(async () => (await page.evaluate<number>(drawn)) >= 4, 'charts');
  for (const name of ['numbers', 'charts', 'feeds', 'viewers', 'share']) {
    await region(page, text(`streamPage.${name}.title`)).waitFor();
  }
  // Content above loaded later and did not push away the target of the address.
  const timelineAt = async () => (await region(page, text('timeline.title')).boundingBox())?.y ?? -1;
  await until(async () => (await timelineAt()) > 0 && (await timelineAt()) < 300, 'the timeline is in view');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
