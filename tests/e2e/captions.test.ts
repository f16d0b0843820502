import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defaultVhost } from '@weir/streams';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEngine } from '../../apps/server/src/media-server/embedded-engine.ts';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { flashes } from '../media/fixtures/flash.fixture.ts';
import { Live } from '../media/fixtures/live.fixture.ts';
import { until } from '../weir.fixture.ts';
import { expectAccessible, launchBrowser, openPage, videoIs } from './fixtures/browser.fixture.ts';
import { captionSeen, fromFlash, watchCaptions } from './fixtures/caption-watch.fixture.ts';

const place = { vhost: defaultVhost, app: 'live', stream: 'said' };
const english = { language: 'en', name: 'English', isDefault: true };
const chinese = { language: 'zh', name: '中文', isDefault: false };

let live: Live;
let browser: Browser;
let viewer: BrowserContext;
let publisher: Publisher;
let engine: EmbeddedEngine;
beforeAll(async () => {
  [live, browser] = await Promise.all([Live.start(), launchBrowser()]);
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  engine = new EmbeddedEngine(join(live.weir.dataDir, 'run/engine.sock'));
  publisher = new Publisher(live.publishUrl('said'), flashes);
  await until(() => live.isLive('said'), 'live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await Promise.all([browser.close(), live.close()]);
});
beforeEach(async () => {
  await engine.setSubtitleTracks(place, [english]);
  viewer = await browser.newContext({ viewport: { width: 1440, height: 900 } });
});
afterEach(() => viewer.close());

const addresses = {
  flv: () => `/tools/player.html?url=${live.http('said', '.flv')}`,
  low: () => `/tools/player.html?url=${live.http('said', '.ll.m3u8')}`,
  whep: () => '/players/whep.html?autostart=true&stream=said',
};

async function play(path: string): Promise<{ page: Page; faults: string[] }> {
  const { page, faults } = await openPage(viewer);
  await page.goto(live.weir.origin + path);
  await videoIs(page, 'video.currentTime > 1 && video.videoWidth > 0');
  return { page, faults };
}

/** Current position on the stream's clock. */
async function streamNow(): Promise<number> {
  const response = await fetch(live.http('said', '.cues'));
  let heard = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    heard += Buffer.from(chunk).toString();
    const [, text] = /event: time\ndata: (.*)\n/.exec(heard) ?? [];
    // Leaving the loop ends the request.
    if (text !== undefined) return JSON.parse(text).nowMs;
  }
  throw new Error('the feed ended');
}

let count = 0;
/** Says something that was just said; the text is the caption, the number when it was told. */
async function say(language = 'en'): Promise<{ text: string; sentAt: number }> {
  let nowMs = 0;
  // Cues before the start of the stream do not exist.
  await until(async () => {
    nowMs = await streamNow();
    return nowMs > 2500;
  }, 'a stream of some seconds');
  count += 1;
  const text = `words ${count} of ${language}`;
  const sentAt = performance.timeOrigin + performance.now();
  await engine.addCues(place, language, [{ id: `say-${count}`, startMs: nowMs - 2500, endMs: nowMs - 1000, text }]);
  return { text, sentAt };
}

/** Announces the next flash shortly before it comes; answers with its words. */
async function announceFlash(): Promise<string> {
  let startMs = 0;
  await until(async () => {
    const nowMs = await streamNow();
    startMs = 5000 * Math.ceil(nowMs / 5000);
    return startMs - nowMs > 500 && startMs - nowMs < 4000;
  }, 'a flash soon');
  const text = `flash ${startMs}`;
  await engine.addCues(place, 'en', [{ id: text, startMs, endMs: startMs + 1000, text }]);
  return text;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

describe('subtitles on the player pages', { timeout: 120_000 }, () => {
  it.each(['flv', 'low', 'whep'] as const)('show words as soon as they are recognised (%s player)', async (kind) => {
    const { page, faults } = await play(addresses[kind]());
    await page.locator('video').hover();
    await page.getByRole('button', { name: 'Hide subtitles' }).waitFor();
    await watchCaptions(page);
    const delays: number[] = [];
    for (let round = 0; round < 7; round++) {
      const { text, sentAt } = await say();
      // A machine too busy to show the picture may lose a line with it: the median still tells.
      delays.push((await captionSeen(page, text, 10_000).catch(() => Number.POSITIVE_INFINITY)) - sentAt);
    }
    const offsets: number[] = [];
    for (let round = 0; round < 3; round++)
      offsets.push(await fromFlash(page, await captionSeen(page, await announceFlash())));
    expect(median(delays)).toBeLessThan(500);
    expect(Math.abs(median(offsets))).toBeLessThan(kind === 'low' ? 250 : 700);
    expect(faults).toEqual([]);
  });

  it('grow in place during speech, in two lines, and end as the final text', async () => {
    const { page, faults } = await play(addresses.whep());
    const startMs = (await streamNow()) - 1000;
    const sendCue = (id: string, text: string, isInterim = true) =>
      engine.addCues(place, 'en', [{ id, startMs, endMs: startMs + 900, text, isInterim }]);
    const shown = page.locator('[data-captions]');
    const edge = async (text: string) => {
      await shown.getByText(text).waitFor();
      const { x, y } = (await shown.locator('p').last().boundingBox()) ?? { x: 0, y: 0 };
      return [Math.round(x), Math.round(y)];
    };
    const first = 'Good evening everybody and welcome to the';
    await sendCue('1', 'Good evening');
    const place1 = await edge('Good evening');
    await sendCue('1', first);
    expect(await edge(first)).toEqual(place1);
    await sendCue('1', `${first}\nnews of the day`);
    await edge('news of the day');
    await sendCue('2', 'which');
    await edge('which');
    await until(async () => (await shown.innerText()).trim().split(/\n+/).length === 2, 'two lines');
    expect(await shown.innerText()).toMatch(/^news of the day\s+which$/);
    const place2 = await edge('which');
    await sendCue('2', 'which is long.', false);
    expect(await edge('which is long.')).toEqual(place2);
    expect(await shown.innerText()).not.toContain('Good evening');
    expect(faults).toEqual([]);
  });

  it('are switched by the button and the key, and remembered', async () => {
    const { page } = await play(addresses.flv());
    const first = await say();
    await page.getByText(first.text).waitFor();
    await page.keyboard.press('c');
    await page.getByText(first.text).waitFor({ state: 'hidden' });
    await page.reload();
    await videoIs(page, 'video.currentTime > 1');
    await page.locator('video').hover();
    await page.getByRole('button', { name: 'Show subtitles' }).click();
    await page.getByRole('button', { name: 'Hide subtitles' }).waitFor();
    // The feed is opened anew: what was said meanwhile is past.
    await until(async () => (await say()) && (await page.locator('[data-captions]').count()) > 0, 'shown again');
    // Not while somebody types.
    await page.getByRole('textbox').first().press('c');
    await page.locator('video').hover();
    await page.getByRole('button', { name: 'Hide subtitles' }).waitFor();
  });

  it('are chosen from a menu where there are several, and disappear when they are switched off', async () => {
    await engine.setSubtitleTracks(place, [english, chinese]);
    const { page } = await play(addresses.flv());
    await page.locator('video').hover();
    const button = page.getByRole('button', { name: 'Subtitles', exact: true });
    await button.click();
    await page.getByRole('button', { name: 'Off' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: '中文' }).click();
    const { text } = await say('zh');
    await page.getByText(text).waitFor();
    await button.click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Off' }).waitFor({ state: 'hidden' });
    await engine.setSubtitleTracks(place, []);
    await button.waitFor({ state: 'hidden' });
    expect(await page.locator('[data-captions]').count()).toBe(0);
  });

  it.each([
    ['HLS', '.m3u8', 60_000],
    ['low-latency HLS', '.ll.m3u8', 4000],
  ])('are in %s for any other player, as hls.js shows by itself', async (_title, suffix, mostMs) => {
    const library = await readFile(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'), 'utf8');
    const page = await viewer.newPage();
    await page.goto(`${live.weir.origin}/api/v1/versions`);
    await page.setContent('<video muted autoplay playsinline width="320"></video>');
    await page.addScriptTag({ content: library });
    await page.evaluate(`
      window.hls = new Hls({ lowLatencyMode: true, maxLiveSyncPlaybackRate: 1.2, liveSyncDurationCount: 2 });
      hls.loadSource(${JSON.stringify(live.http('said', suffix))});
      hls.attachMedia(document.querySelector('video'));
    `);
    await videoIs(page, 'video.currentTime > 0 && !video.paused && video.textTracks.length > 0');
    await watchCaptions(page);
    const text = await announceFlash();
    const offset = await fromFlash(page, await captionSeen(page, text));
    const said = await say();
    const delay = (await captionSeen(page, said.text)) - said.sentAt;
    expect(Math.abs(offset)).toBeLessThan(250);
    expect(delay).toBeLessThan(mostMs);
    await page.close();
  });
});
