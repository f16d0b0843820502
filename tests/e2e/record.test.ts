import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptHit } from '@weir/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AiProvider } from '../ai-provider.fixture.ts';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../media/fixtures/live.fixture.ts';
import { spokenFile } from '../media/fixtures/speech.fixture.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openPage,
  type Watched,
} from './fixtures/browser.fixture.ts';

let browser: Browser;
let live: Live;
let provider: AiProvider;
let film: string;
let publisher: Publisher | undefined;

beforeAll(async () => {
  const started = await Promise.all([launchBrowser(), Live.start(), AiProvider.start(), spokenFile()]);
  [browser, live, provider, { path: film }] = started;
  provider.heard = 'Good evening, 晚上好 everybody';
  // Short segments: what is published is recorded seconds later.
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
});
afterAll(async () => {
  await publisher?.stop();
  await Promise.all([browser?.close(), live?.close()]);
  await provider?.close();
});

async function openRecord(locale: string, options: Parameters<typeof openPage>[1] = {}): Promise<Watched> {
  const watched = await openPage(browser, options);
  watched.page.setDefaultTimeout(40_000);
  await watched.page.addInitScript(
    (value) => localStorage.setItem('SRS_TERRAFORM_TOKEN', value),
    JSON.stringify(live.session),
  );
  await watched.page.goto(`${live.weir.origin}/mgmt/${locale}/routers-scenario?tab=record`);
  return watched;
}

const ofVideo = async (page: Page, fact: string) =>
  page.evaluate(`(() => { const video = document.querySelector('video'); return video ? ${fact} : undefined; })()`);
const whilePlaying = { timeout: 60_000, interval: 200 };

/** Goes to a moment and waits until the picture there is shown. */
async function seek(page: Page, seconds: number): Promise<void> {
  await ofVideo(page, `void (video.currentTime = ${seconds})`);
  await expect.poll(() => ofVideo(page, 'video.readyState >= 2 && !video.seeking'), whilePlaying).toBe(true);
  await expect.poll(() => ofVideo(page, 'video.currentTime'), whilePlaying).toBeGreaterThanOrEqual(seconds);
}

/** The link works without signing in: it plays to its last second and can be sought anywhere. */
async function expectWatchable(link: string): Promise<void> {
  const { page, faults } = await openPage(browser);
  await page.goto(link);
  await expect.poll(() => ofVideo(page, 'video.readyState'), whilePlaying).toBeGreaterThanOrEqual(2);
  // A browser may refuse sound before the first touch of a page: then the viewer presses play.
  await ofVideo(page, 'void (video.paused && video.play())');
  await expect.poll(() => ofVideo(page, 'video.currentTime'), whilePlaying).toBeGreaterThan(0.5);
  await seek(page, Number(await ofVideo(page, 'video.duration')) - 1);
  await seek(page, 0.2);
  expect(faults).toEqual([]);
  await page.context().close();
}

/** Turns on transcript and OCR with a provider that always gives the same answer. */
async function understand(): Promise<void> {
  const { baseURL } = provider;
  const speech = { secretKey: 'sk-story', baseURL, lang: 'en', overlayEnabled: false, fixSeconds: 0 };
  const pictures = { aiSecretKey: 'sk-story', aiBaseURL: baseURL };
  for (const [feature, config] of [
    ['transcript', speech],
    ['ocr', pictures],
  ] as const) {
    const { status } = await live.post(`/terraform/v1/ai/${feature}/apply`, { all: true, ...config });
    expect([feature, status]).toEqual([feature, 200]);
  }
}

/** The newest place in a recording at which something was understood. */
async function wordsOf(uuid: string, kind: TranscriptHit['kind']): Promise<TranscriptHit> {
  const query = kind === 'speech' ? 'everybody' : 'weir';
  const find = async (): Promise<TranscriptHit | undefined> => {
    const { hits }: { hits: TranscriptHit[] } = (await live.post('/terraform/v1/ai/words/search', { query })).data;
    // Not at its very beginning, where everything begins to play anyway.
    return hits.find((hit) => hit.recording === uuid && hit.kind === kind && (hit.second ?? 0) > 2);
  };
  await expect.poll(find, whilePlaying).toBeDefined();
  const hit = await find();
  if (!hit) throw new Error(`no ${kind} was kept`);
  return hit;
}

/** Looks for words in the console, and opens the place: it plays from that second, and so does its watch page. */
async function expectFound(page: Page, words: string, { text, second, kind }: TranscriptHit): Promise<void> {
  await page.getByLabel('Search what was said or shown').fill(words);
  const at = Math.floor(second ?? 0);
  // Newest first, and the recording after this one says the same.
  const hits = page
    .getByRole('button', { name: `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')} ` })
    .filter({
      hasText: `${text}${kind === 'speech' ? 'Speech' : 'On screen'}`,
    });
  const hit = hits.last();
  await hit.waitFor();
  await expectAccessible(page);
  await hit.click();
  const began = 'video.played.length > 0 ? video.played.start(0) : -1';
  await expect.poll(() => ofVideo(page, began), whilePlaying).toBeGreaterThanOrEqual(0);
  expect(Math.abs(Number(await ofVideo(page, began)) - (second ?? 0))).toBeLessThan(1);
  const subtitles = '[...video.textTracks].some(({ cues }) => cues?.length > 0)';
  await expect.poll(() => ofVideo(page, subtitles), whilePlaying).toBe(true);
  const dialog = page.getByRole('dialog', { name: 'live/show' });
  const link = await dialog.getByLabel('Watch page', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Close player' }).click();
  await dialog.waitFor({ state: 'detached' });

  const watched = await openPage(browser);
  await watched.page.goto(link);
  await expect.poll(() => ofVideo(watched.page, 'video.currentTime'), whilePlaying).toBeGreaterThanOrEqual(at);
  await expect.poll(() => ofVideo(watched.page, subtitles), whilePlaying).toBe(true);
  expect(watched.faults).toEqual([]);
  await watched.page.context().close();
}

it('records a published stream, plays it while it grows and when it is done, and deletes all of it and nothing else', async () => {
  const { page, faults, hosts } = await openRecord('en');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await page.getByRole('button', { name: 'Stop recording' }).waitFor();
  await page.getByText(/^Publish a stream that matches the rules/).waitFor();
  await expectAccessible(page);

  await understand();
  publisher = new Publisher(live.publishUrl('show'), ['-stream_loop', '-1', '-i', film, '-c', 'copy']);
  const row = page
    .getByRole('region', { name: 'Recording now' })
    .getByRole('listitem')
    .filter({ hasText: 'live/show' })
    .first();
  await row.getByText(/^Recording \d+:\d\d$/).waitFor();
  await row.getByRole('button', { name: 'Play live/show' }).click();
  await expect.poll(() => ofVideo(page, 'video.currentTime'), whilePlaying).toBeGreaterThan(0.5);
  const before = Number(await ofVideo(page, 'video.duration'));
  expect(before).toBeLessThan(120);
  await expect.poll(() => ofVideo(page, 'video.duration'), whilePlaying).toBeGreaterThan(before);
  await seek(page, 0);
  await seek(page, before - 1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close player' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // The stream continues, so the next recording starts and must be left alone.
  const [first] = (await live.post('/terraform/v1/hooks/record/files')).data;
  const [spoken, shown] = [await wordsOf(first.uuid, 'speech'), await wordsOf(first.uuid, 'picture')];
  await row.getByRole('button', { name: 'More actions for live/show' }).click();
  await page.getByRole('menuitem', { name: 'End recording' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End recording' }).click();
  const rows = page.getByRole('table', { name: 'Recordings' }).getByRole('row', { name: /live\/show/ });
  const done = rows.filter({ hasText: 'Done' });
  await done.waitFor();
  await row.getByText(/^Recording \d+:\d\d$/).waitFor();
  await done.locator('img').waitFor();
  await expect
    .poll(() => page.evaluate('[...document.querySelectorAll("table img")].at(-1).naturalWidth'), whilePlaying)
    .toBeGreaterThan(0);
  await publisher.stop();

  await done.getByRole('button', { name: 'Play live/show' }).click();
  await expect.poll(() => ofVideo(page, 'video.currentTime'), whilePlaying).toBeGreaterThan(0.5);
  expect(await ofVideo(page, 'video.currentSrc')).toMatch(/\/index\.mp4\?sign=/);
  expect(Number(await ofVideo(page, 'video.duration'))).toBeGreaterThanOrEqual(before);
  await seek(page, before - 1);
  const dialog = page.getByRole('dialog', { name: 'live/show' });
  await expectWatchable(await dialog.getByLabel('Watch page', { exact: true }).inputValue());
  await page.getByRole('button', { name: 'Close player' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const download = page.waitForEvent('download');
  await done.getByRole('button', { name: 'More actions for live/show' }).click();
  await page.getByRole('menuitem', { name: 'Download MP4' }).click();
  expect((await download).suggestedFilename()).toMatch(/^live-show-.*\.mp4$/);

  await expectFound(page, 'evening every', spoken);
  await expectFound(page, '42', shown);
  await page.getByRole('button', { name: 'Clear search' }).click();
  const transcript = page.waitForEvent('download');
  await done.getByRole('button', { name: 'More actions for live/show' }).click();
  await page.getByRole('menuitem', { name: 'Download SRT' }).click();
  expect((await transcript).suggestedFilename()).toMatch(/^live-show-.*\.srt$/);

  const home = join(live.weir.dataDir, 'record');
  expect(existsSync(join(home, first.uuid, 'index.mp4'))).toBe(true);
  await page.getByLabel('Select the finished recording').check();
  await page.getByRole('button', { name: /^Delete 1 recording, / }).click();
  await page
    .getByRole('dialog', { name: /^Delete 1 recording, / })
    .getByRole('button', { name: 'Delete' })
    .click();
  await done.waitFor({ state: 'detached' });
  expect(existsSync(join(home, first.uuid))).toBe(false);
  const [other = ''] = readdirSync(home);
  expect(readdirSync(home)).toHaveLength(1);

  // Without viewers only the file is kept, and the playlist plays from it.
  await live.post('/terraform/v1/hooks/record/end', { uuid: other });
  await rows.filter({ hasText: 'Done' }).waitFor();
  const names = () => readdirSync(join(home, other)).sort();
  await expect.poll(names, whilePlaying).toEqual(['index.jpg', 'index.mp4', 'segments.log']);
  const { data: link } = await live.post('/terraform/v1/hooks/record/sign', { uuid: other });
  await expectWatchable(
    `${live.weir.origin}/tools/player.html?url=${encodeURIComponent(live.weir.origin + link.m3u8)}`,
  );
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([new URL(live.weir.origin).host]);
  await page.context().close();
}, 180_000);

it('fits a phone in Chinese and in the dark theme: rules with a preview, storage, and a card for each recording', async () => {
  publisher = new Publisher(live.publishUrl('手机'));
  await live.post('/terraform/v1/hooks/record/apply', { all: true });
  const { page, faults } = await openRecord('zh', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await page.getByRole('button', { name: '播放 live/手机' }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  await page.getByRole('button', { name: '规则', exact: true }).click();
  const rules = page.getByRole('region', { name: '规则' });
  await rules.getByText('录制中', { exact: true }).waitFor();
  await page.getByLabel('流匹配规则').fill('/live/手*\n/live/x');
  // Not saved yet.
  await rules.getByText('开启后录制，匹配规则：/live/手*').waitFor();
  await page.getByRole('button', { name: '测试规则' }).click();
  await page.getByLabel('要测试的地址').fill('rtmp://host/live/y');
  await page.getByRole('button', { name: '测试地址', exact: true }).click();
  await page.getByText('失败！地址 rtmp://host/live/y 没有匹配任何规则！').waitFor();
  await page.getByRole('button', { name: '保存规则' }).click();
  await expect
    .poll(async () => (await live.post('/terraform/v1/hooks/record/query')).data.globs)
    .toEqual(['/live/手*', '/live/x']);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  await page.getByRole('button', { name: '存储', exact: true }).click();
  await page.getByLabel('录制总大小上限').fill('1.5');
  await page.getByRole('button', { name: '保存存储规则' }).click();
  await expect
    .poll(async () => (await live.post('/terraform/v1/hooks/record/query')).data.rule.quotaBytes)
    .toBe(1_500_000_000);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  await page.context().close();
});
