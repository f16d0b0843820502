import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultVhost } from '@weir/streams';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EmbeddedEngine } from '../../../apps/server/src/media-server/embedded-engine.ts';
import { AiProvider } from '../../ai-provider.fixture.ts';
import { encodedClip, Publisher } from '../../media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../../media/fixtures/live.fixture.ts';
import { Recordings } from '../../media/fixtures/record.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { launchBrowser, openPage, openSharedDesk, videoIs } from '../fixtures/browser.fixture.ts';

/** Asks the server for a file named after the place, if a page takes the text for HTML. */
const hostile = (place: string) => `"'><img src=canary-${place} onerror=alert(1)>`;
const stream = hostile('stream');
const place = { vhost: defaultVhost, app: 'live', stream };
const script = 'javascript:alert(1)';

let live: Live;
let browser: Browser;
let desk: BrowserContext;
let guest: BrowserContext;
let provider: AiProvider;
let publisher: Publisher;

beforeAll(async () => {
  [live, browser, provider] = await Promise.all([Live.start(), launchBrowser(), AiProvider.start()]);
  desk = await openSharedDesk(browser, { origin: live.weir.origin, session: live.session });
  guest = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  for (const context of [desk, guest])
    await context.addInitScript(`window.refusedByPolicy = [];
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => refusedByPolicy.push(violatedDirective + ' ' + blockedURI));`);
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  await new Recordings(live).start();
  const published = [
    '-stream_loop',
    '-1',
    '-i',
    encodedClip(),
    '-c',
    'copy',
    '-metadata',
    `title=${hostile('title')}`,
    '-rtmp_playpath',
    `${stream}?secret=${live.secret}`,
    '-rtmp_flashver',
    hostile('encoder'),
  ];
  publisher = new Publisher(live.rtmp(''), published);
  await until(() => live.isLive(encodeURIComponent(stream)), 'the hostile stream is live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await Promise.all([browser?.close(), live?.close()]);
  await provider?.close();
});

/** Opens a page, looks at it when these texts are shown as they were written, and says everything that ran, was asked for or was refused. */
async function findFaults(
  context: BrowserContext,
  path: string,
  shown: readonly string[],
  then?: (page: Page) => Promise<void>,
) {
  const { page } = await openPage(context);
  const strange: string[] = [];
  page.on('dialog', (dialog) => {
    strange.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (/\/canary-[^/]*$/.test(new URL(request.url()).pathname)) strange.push(`request ${request.url()}`);
  });
  await page.goto(live.weir.origin + path);
  await then?.(page);
  for (const text of shown)
    await page
      .getByText(text)
      .and(page.locator(':visible'))
      .first()
      .waitFor({ timeout: 60_000 })
      .catch(() => strange.push(`not shown: ${text}`));
  strange.push(...(await page.evaluate<string[]>('refusedByPolicy')));
  const elements = '[src^=canary], [onerror], a[href^="javascript:" i]';
  strange.push(...(await page.locator(elements).evaluateAll((all) => all.map((each) => each.outerHTML))));
  await page.close();
  return strange;
}

const scenario = (tab: string) => `/mgmt/en/routers-scenario?tab=${tab}`;

it('S11: the name, title and encoder of a stream are shown as text on every page, with HTML in them', async () => {
  const label = `live/${stream}`;
  const ofStream = `${scenario('live')}&stream=${encodeURIComponent(label)}`;
  expect(await findFaults(desk, scenario('overview'), [label])).toEqual([]);
  expect(await findFaults(desk, ofStream, [label], (page) => videoIs(page, 'video.currentTime > 1'))).toEqual([]);
  expect(await findFaults(desk, '/mgmt/en/routers-settings?tab=streams', [stream])).toEqual([]);
  await new Recordings(live).wait(stream, ({ duration }) => duration > 1, 'recorded');
  expect(await findFaults(desk, scenario('record'), [label])).toEqual([]);
  expect(await findFaults(desk, '/console/ng_index.html#/streams', [stream])).toEqual([]);
});

it('S11: subtitles with HTML in them are shown as text in the players, and addresses with a script play nothing', async () => {
  const engine = new EmbeddedEngine(join(live.weir.dataDir, 'run/engine.sock'));
  await engine.setSubtitleTracks(place, [{ language: 'en', name: hostile('track'), isDefault: true }]);
  const address = live.http(encodeURIComponent(stream), '');
  const say = async (page: Page) => {
    await videoIs(page, 'video.currentTime > 1 && video.videoWidth > 0');
    const { nowMs } = await streamTime(`${address}.cues`);
    const text = `${hostile('cue')} --> <b>bold</b>`;
    await engine.addCues(place, 'en', [{ id: 'cue', startMs: nowMs - 1000, endMs: nowMs + 15_000, text }]);
  };
  const shown = [`${hostile('cue')} --> <b>bold</b>`];
  for (const suffix of ['.flv', '.ll.m3u8'])
    expect(
      await findFaults(guest, `/tools/player.html?url=${encodeURIComponent(address + suffix)}`, shown, say),
    ).toEqual([]);
  for (const url of [script, `${script}//.flv`, `data:text/html,${hostile('address')}`])
    expect(await findFaults(guest, `/tools/player.html?url=${encodeURIComponent(url)}`, [])).toEqual([]);
});

it('S43: messages of guests and models are shown as text to guests and to the owner', async () => {
  const settings = { aiSecretKey: 'sk-0123456789abcdef', aiBaseURL: provider.baseURL };
  await live.post('/terraform/v1/mgmt/openai/update', settings);
  const { data: made } = await live.post('/terraform/v1/live/room/create', { title: hostile('room') });
  const change = { uuid: made.uuid, aiName: hostile('assistant'), assistant: true, aiTtsEnabled: false };
  const { data: room } = await live.post('/terraform/v1/live/room/update', change);
  provider.reply = () => `${hostile('answer')} [a link](${script}) <a href="${script}">another</a>`;
  const key = { app: 'ai-talk', popout: '1', room: room.uuid, roomToken: room.roomToken };
  const query = new URLSearchParams({ ...key, assistant: '1', username: hostile('guest'), language: 'en' });
  const shown = [hostile('message'), hostile('answer'), `[a link](${script})`, hostile('assistant')];
  const talk = async (page: Page) => {
    await page.getByRole('button', { name: 'Start chat' }).click();
    await page.getByRole('textbox', { name: 'Type a message' }).fill(hostile('message'));
    await page.keyboard.press('Enter');
  };
  expect(await findFaults(guest, `/mgmt/en/routers-popout?${query}`, shown, talk)).toEqual([]);
  expect(await findFaults(desk, scenario('stream'), [hostile('room')])).toEqual([]);
});

it('S11: labels, file names and the texts of the site are shown as text in the console', async () => {
  for (const beian of ['title', 'icp'])
    await live.post('/terraform/v1/mgmt/beian/update', { beian, text: hostile(beian) });
  const outlet = { action: 'update', platform: 'forwarding-4-a1b2c3', custom: true, enabled: false, secret: 'x' };
  await live.post('/terraform/v1/ffmpeg/forward/secret', {
    ...outlet,
    server: 'rtmp://192.0.2.1/live',
    label: hostile('label'),
  });
  const file = `${hostile('file')}.flv`;
  const form = new FormData();
  form.set('file', new Blob([readFileSync(encodedClip())]), file);
  const upload = `${live.weir.origin}/terraform/v1/ffmpeg/vlive/upload/${encodeURIComponent(file)}`;
  const response = await fetch(upload, { method: 'POST', body: form, headers: live.headers });
  const { data: sent } = (await response.json()) as { data: { uuid: string } };
  await live.post('/terraform/v1/ffmpeg/vlive/source', { platform: 'wx', files: [{ uuid: sent.uuid }] });
  await live.post('/terraform/v1/dubbing/create', { title: hostile('dubbing'), files: [{ uuid: sent.uuid }] });
  expect(await findFaults(desk, scenario('forward'), [hostile('label'), hostile('title'), hostile('icp')])).toEqual([]);
  expect(await findFaults(desk, scenario('vlive'), [file])).toEqual([]);
  expect(await findFaults(desk, scenario('dubbing'), [hostile('dubbing')])).toEqual([]);
});

async function streamTime(url: string): Promise<{ nowMs: number }> {
  const response = await fetch(url);
  let heard = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    heard += Buffer.from(chunk).toString();
    const [, text] = /event: time\ndata: (.*)\n/.exec(heard) ?? [];
    if (text !== undefined) return JSON.parse(text);
  }
  throw new Error('the feed ended');
}
