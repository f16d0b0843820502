import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { Publisher } from '../../media/fixtures/ffmpeg.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { expectAccessible, expectNoSidewaysScroll, openPage, type Watched } from '../fixtures/browser.fixture.ts';
import { pagesOfFile } from '../fixtures/pages.fixture.ts';

const pages = pagesOfFile();
const phone = { viewport: { width: 390, height: 844 } };
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** One stream of the server with its watch page. */
async function stage(stream: string, page: object = {}) {
  const place = { app: 'live', stream };
  const call = async (path: string, body: object = {}) => {
    const { code, data } = await pages.live.post(`/terraform/v1/mgmt/${path}`, body);
    expect([path, code]).toEqual([path, 0]);
    return data;
  };
  const { playback } = await call('watch/update', { ...place, page });
  const rule = (mode: object, id?: string) => call('access/update', { id, pattern: `/live/${stream}`, ...mode });
  const publish = async () => {
    const publisher = new Publisher(pages.live.publishUrl(stream));
    onTestFinished(() => publisher.stop('SIGKILL'));
    // Viewers without a token would not find a protected one.
    const isLive = async () => {
      const { streams } = await call('streams/query');
      return streams.some((each: { stream: string }) => each.stream === stream);
    };
    await until(isLive, 'live');
    return publisher;
  };
  const link = () => call('access/link', { ...place, expiresAt: inAnHour(), label: 'Press' });
  return { call, rule, publish, link, playback, path: `/watch/${playback}` };
}

/** A visitor with a browser profile of its own. */
async function visit(path: string, options: object = {}, prepare?: (page: Page) => Promise<void>): Promise<Watched> {
  const watched = await openPage(pages.browser, options);
  onTestFinished(() => watched.page.context().close());
  await prepare?.(watched.page);
  await watched.page.goto(pages.live.weir.origin + path);
  return watched;
}

const playing = (page: Page, kind: string) => page.locator(`[data-phase="playing"][data-source="${kind}"]`).waitFor();

/** Frames that were shown in this time, and the longest pause between two of them. */
function shownFrames(page: Page, ms: number): Promise<{ frames: number; longestMs: number }> {
  return page.evaluate(`new Promise((done) => {
    const video = document.querySelector('video');
    const times = [performance.now()];
    const next = () => video.requestVideoFrameCallback((now) => { times.push(now); next(); });
    next();
    setTimeout(() => {
      times.push(performance.now());
      done({ frames: times.length - 2, longestMs: Math.max(...times.slice(1).map((time, n) => time - times[n])) });
    }, ${ms});
  })`);
}

it('a page that waited plays via WebRTC when the stream goes live, shares its address, and tells a viewer nothing of the stream', async () => {
  const { path, publish, playback } = await stage('Geheimname', {
    title: 'Evening concert',
    startsAt: new Date(Date.now() + 26 * 3_600_000).toISOString(),
    links: [{ name: 'Programme', url: 'https://example.com/' }],
  });
  const received: Promise<string>[] = [];
  const { page, faults, hosts } = await visit(path, {}, async (waiting) => {
    waiting.on('response', (response) => {
      const headers = JSON.stringify(response.headers());
      received.push(
        response.text().then(
          (text) => `${response.url()} ${headers} ${text}`,
          () => response.url(),
        ),
      );
    });
  });
  await page
    .getByRole('timer')
    .getByText(/^1 d \d\d:\d\d:\d\d$/)
    .waitFor();
  expect(await (await page.request.get(`${pages.live.weir.origin}${path}/event.ics`)).text()).toContain(
    'Evening concert',
  );
  await expectAccessible(page);
  await publish();
  await playing(page, 'whep');
  const { frames, longestMs } = await shownFrames(page, 3000);
  // A busy machine decodes a third of them.
  expect(frames).toBeGreaterThan(15);
  expect(longestMs).toBeLessThan(2000);
  await page.getByText(/^Started at \d\d:\d\d$/).waitFor();
  await page
    .locator('video')
    .focus()
    .catch(() => undefined);
  await page.keyboard.press('k');
  await page.locator('[data-phase="paused"]').waitFor();
  await page.keyboard.press('k');
  await playing(page, 'whep');
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  expect(await dialog.getByLabel('Link').inputValue()).toBe(`${pages.live.weir.origin}/watch/${playback}`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([new URL(pages.live.weir.origin).host]);
  expect(await page.context().cookies()).toEqual([]);
  await page.close();
  const everything = (await Promise.all(received)).join('\n');
  expect(everything).toContain(playback);
  expect(everything).not.toContain(pages.live.secret);
  expect(everything).not.toContain('Geheimname');
});

it('a password opens the stream on a Chinese phone, and another one ends the video and is asked for', async () => {
  const { path, publish, rule } = await stage('phone', { title: '晚间音乐会' });
  const { id } = await rule({ mode: 'password', password: 'open sesame' });
  await publish();
  const { page, faults } = await visit(path, { ...phone, locale: 'zh-CN' });
  await page.getByLabel('密码').fill('guess');
  await page.getByRole('button', { name: '观看' }).click();
  await page.getByText('密码错误。').waitFor();
  await expectAccessible(page);
  await page.getByLabel('密码').fill('open sesame');
  await page.getByRole('button', { name: '观看' }).click();
  await playing(page, 'whep');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.reload();
  await playing(page, 'whep');
  await rule({ mode: 'password', password: 'another word' }, id);
  const changedMs = performance.now();
  await page.getByText('请输入密码观看').waitFor();
  expect(performance.now() - changedMs).toBeLessThan(2000);
  expect(await page.locator('video').count()).toBe(0);
  expect(faults).toEqual([]);
});

it('a revoked link ends the video within two seconds, over low-latency HLS too, and expired and missing links say so', async () => {
  const { path, publish, rule, link, call } = await stage('links');
  await rule({ mode: 'link' });
  await publish();
  const { page: uninvited } = await visit(path);
  await uninvited.getByText('You need a link to watch').waitFor();
  const { token, id } = await link();
  const noWebrtc = async (page: Page) => {
    await page.addInitScript('delete window.RTCPeerConnection');
  };
  const { page, faults } = await visit(`${path}?token=${token}`, {}, noWebrtc);
  await playing(page, 'hls');
  expect(page.url()).toBe(pages.live.weir.origin + path);
  const { frames, longestMs } = await shownFrames(page, 3000);
  expect(frames).toBeGreaterThan(15);
  expect(longestMs).toBeLessThan(2500);
  await call('access/revoke', { id });
  const revokedMs = performance.now();
  await page.getByText('This link no longer works').waitFor();
  expect(performance.now() - revokedMs).toBeLessThan(2000);
  expect(await page.locator('video').count()).toBe(0);
  await expectAccessible(page);
  expect(faults).toEqual([]);
  const short = await call('access/link', {
    app: 'live',
    stream: 'links',
    expiresAt: new Date(Date.now() + 1500).toISOString(),
  });
  await until(() => Date.parse(short.expiresAt) < Date.now(), 'the link expires');
  await uninvited.goto(`${pages.live.weir.origin}${path}?token=${short.token}`);
  await uninvited.getByText('This link has expired').waitFor();
  expect(pages.live.weir.output).not.toContain(token);
});

it('a page of an allowed site operates the embedded player, and other sites cannot show it', async () => {
  const { publish, rule, playback } = await stage('embedded');
  const { origin } = pages.live.weir;
  await rule({ mode: 'open', sites: ['weir.test'] });
  await publish();
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<script>
      const states = [];
      addEventListener('message', ({ origin, data }) => origin === '${origin}' && states.push(data));
      const send = (message) => document.querySelector('iframe').contentWindow.postMessage(message, '${origin}');
    </script><iframe src="${origin}/embed/${playback}?muted=1" allow="autoplay" width="640" height="360"
      onload="send({ weir: 1, type: 'listen' })"></iframe>`);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void site.close());
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  const { page } = await openPage(pages.browser);
  onTestFinished(() => page.context().close());
  await page.goto(`http://weir.test:${port}/`);
  const last = (field: string) => page.evaluate<unknown>(`states.at(-1)?.${field}`);
  const send = (message: object) => page.evaluate(`send(${JSON.stringify(message)})`);
  await until(async () => (await last('state')) === 'playing', 'the player tells that it plays');
  expect(await last('muted')).toBe(true);
  await send({ weir: 1, type: 'pause' });
  await until(async () => (await last('state')) === 'paused', 'paused');
  await send({ weir: 2, type: 'play' });
  await send({ weir: 1, type: 'play' });
  await until(async () => (await last('state')) === 'playing', 'plays again');
  await send({ weir: 1, type: 'volume', value: 0.25 });
  await until(async () => (await last('volume')) === 0.25, 'the volume');

  await page.goto(`http://127.0.0.1:${port}/`);
  await until(() => page.frames().some((frame) => frame.url().startsWith('chrome-error:')), 'the frame is refused');
});
