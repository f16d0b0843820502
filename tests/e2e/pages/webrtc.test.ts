import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openPage,
  videoIs,
  type Watched,
} from '../fixtures/browser.fixture.ts';
import { figure, pagesOfFile, word } from '../fixtures/pages.fixture.ts';
import { RtcAnswerer } from '../fixtures/rtc-answerer.fixture.ts';

const pages = pagesOfFile();

// In turn, because they share who answers; beside them, because a publisher takes seconds to notice that nobody does.
describe.concurrent('the WebRTC pages, against an answering page', () => {
  let answerer: RtcAnswerer;
  beforeAll(async () => {
    const { page } = await pages.open('/players/whip.html');
    answerer = await RtcAnswerer.open(page);
  });

  async function openRtc(path: string): Promise<Watched> {
    const watched = await openPage(pages.guest);
    await watched.page.route('**/rtc/v1/**', answerer.serve);
    await watched.page.goto(pages.live.weir.origin + path);
    return watched;
  }

  it('whep.html plays, shows codecs, round trip and loss, and ends its session', { concurrent: false }, async () => {
    const { page, faults } = await openRtc('/players/whep.html?stream=cam&eip=127.0.0.1&autostart=true');
    await videoIs(page, 'video.videoWidth > 0 && video.srcObject.getTracks().length === 2');
    expect(new URL(answerer.posts.at(-1)?.url ?? '').search).toBe('?app=live&stream=cam&eip=127.0.0.1');
    await until(async () => /fps$/.test((await figure(page, 'Frame rate').textContent()) ?? ''), 'a frame rate');
    await until(async () => /ms$/.test((await figure(page, 'Round trip').textContent()) ?? ''), 'a round trip');
    await until(
      async () => /^\d/.test((await figure(page, 'Server-to-screen latency').textContent()) ?? ''),
      'a delay',
    );
    expect(await figure(page, 'Codecs').textContent()).toMatch(/(VP8|VP9|H\.264|AV1).* · opus/);
    expect(await figure(page, 'Packet loss').textContent()).toBe('0%');
    await page.getByText(/^Session \S+:\S+$/).waitFor();
    await expectAccessible(page);
    // Sound only: a new session without a picture.
    const before = answerer.posts.length;
    await page.getByText('Audio only', { exact: true }).click();
    await until(() => answerer.posts.length > before, 'another offer');
    expect(answerer.posts.at(-1)?.offer).not.toContain('m=video');
    await until(() => answerer.deleted.includes(`/rtc/v1/whep/session/${before}`), 'the first one ended');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('rtc_player.html maps webrtc:// to the same call, and waits while there is no such stream', {
    concurrent: false,
  }, async () => {
    answerer.refusal = { status: 404, body: '{"code":1003,"data":{"message":"no such stream is live"}}' };
    const { page } = await openRtc('/players/rtc_player.html?stream=cam&autostart=true');
    await word(page, 'Waiting for the stream');
    expect(await page.getByRole('textbox').inputValue()).toMatch(/^webrtc:\/\/127\.0\.0\.1:\d+\/live\/cam$/);
    answerer.refusal = undefined;
    await videoIs(page, 'video.videoWidth > 0');
    await page.close();
  });

  it('whip.html publishes camera and microphone, follows choices while live, reconnects, and stops', {
    concurrent: false,
  }, async () => {
    const { page, faults } = await openRtc('/players/whip.html?stream=cam&secret=s3cret&autostart=true');
    await word(page, 'Live');
    expect(new URL(answerer.posts.at(-1)?.url ?? '').search).toBe('?app=live&stream=cam&secret=s3cret');
    await until(async () => (await answerer.received()).frames > 10, 'frames arrive');
    expect((await answerer.received()).audioPackets).toBeGreaterThan(0);
    expect((await answerer.received()).codec).toBe('video/H264');
    await until(async () => /fps$/.test((await figure(page, 'Frame rate').textContent()) ?? ''), 'a frame rate');
    expect(await figure(page, 'Codecs').textContent()).toMatch(/^H\.264 42.* · opus$/);
    await until(
      async () => Number(await page.getByRole('meter').getAttribute('aria-valuenow')) > 0,
      'the microphone is heard',
    );
    // The secret does not show while the screen may be shared, and viewers do not get it.
    expect(await page.getByRole('textbox').inputValue()).toContain('secret=••••••');
    expect(await page.getByRole('link', { name: 'Watch in a new tab' }).getAttribute('href')).toBe(
      '/players/whep.html?app=live&stream=cam&autostart=true',
    );
    await page.getByLabel('Resolution').selectOption('640x360');
    await until(async () => (await figure(page, 'Resolution').textContent()) === '640 × 360', 'the new size');
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('button', { name: 'Unmute' }).waitFor();
    await expectAccessible(page);

    const before = answerer.posts.length;
    await answerer.hangUp();
    await word(page, 'Reconnecting');
    await word(page, 'Live');
    expect(answerer.posts.length).toBeGreaterThan(before);

    const last = answerer.posts.length;
    await page.getByRole('button', { name: 'Stop' }).click();
    await word(page, 'Not live');
    await until(() => answerer.deleted.includes(`/rtc/v1/whip/session/${last}`), 'the session ended');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('whip.html explains a refusal', { concurrent: false }, async () => {
    const { page } = await openRtc('/players/whip.html?stream=cam');
    for (const [status, title, message] of [
      [401, 'Publishing with this URL is not allowed', 'the secret is wrong'],
      [409, 'The stream name is in use', 'live/cam is in use'],
      [503, 'The server is busy', 'starting'],
    ] as const) {
      answerer.refusal = { status, body: JSON.stringify({ code: 1, data: { message } }) };
      await page.getByRole('button', { name: 'Go live' }).click();
      await word(page, title);
      await word(page, `Details: ${message}`);
    }
    answerer.refusal = undefined;
    await page.close();
  });

  it('whip.html does not send a camera to another server by a link alone', { concurrent: false }, async () => {
    const { page } = await openRtc('/players/whip.html?server=weir.test&autostart=true');
    const before = answerer.posts.length;
    await page.getByText(/your video and audio are sent to weir\.test:1985/).waitFor();
    await word(page, 'Not live');
    expect(answerer.posts.length).toBe(before);
    await page.close();
  });

  it('whip.html explains that a camera needs https, and links to the same page there', {
    concurrent: false,
  }, async () => {
    const { page } = await openPage(pages.guest);
    await page.goto(`http://weir.test:${pages.live.weir.httpPort}/players/whip.html?stream=show&secret=s`);
    await page.getByRole('button', { name: 'Go live' }).click();
    await word(page, 'Camera and microphone need HTTPS');
    const https = `https://weir.test:${pages.live.weir.httpsPort}`;
    const link = page.getByRole('link', { name: `Open this page at ${https}` });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`${https}/players/whip.html?stream=show&secret=s`);
    await expectAccessible(page);
    await page.close();
  });
});

describe.concurrent('hostile page parameters', () => {
  const values = [
    'javascript:void(window.hacked=1)//.flv',
    'data:text/html,<script>parent.hacked=1</script>',
    '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
  ];
  it.each([
    ['/tools/player.html', ['url', 'lang']],
    ['/tools/xgplayer.html', ['url', 'lang']],
    ['/players/srs_player.html', ['stream', 'server', 'schema', 'app', 'vhost', 'extra']],
    ['/players/whep.html', ['stream', 'app', 'path', 'server', 'secret', 'schema', 'api']],
    ['/players/whip.html', ['stream', 'app', 'path', 'server', 'secret', 'schema', 'api']],
  ])('are shown as text on %s in %j', async (path, names) => {
    const { page, hosts } = await openPage(pages.guest);
    for (const value of values) {
      const query = new URLSearchParams({ autostart: 'true' });
      for (const name of names) query.set(name, value);
      await page.goto(`${pages.live.weir.origin}${path}?${query}`);
      await page.getByRole('main').waitFor();
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
      expect(await page.evaluate('window.hacked === undefined && document.querySelector("img") === null')).toBe(true);
    }
    expect([...hosts]).toEqual([new URL(pages.live.weir.origin).host]);
    await page.close();
  });
});

it.concurrent('every page is readable, reachable and not too wide on a phone, dark, in Chinese', async () => {
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'zh-CN' } as const;
  const { page, faults } = await openPage(pages.browser, phone);
  for (const path of [
    '/tools/player.html?url=/live/none.flv',
    '/tools/xgplayer.html?url=/live/none.flv',
    '/players/srs_player.html',
    '/players/whep.html',
    '/players/whip.html',
    '/console/ng_index.html',
  ]) {
    await page.goto(pages.live.weir.origin + path);
    await page.getByRole('main').waitFor();
    expect([path, await page.getAttribute('html', 'lang')]).toEqual([path, 'zh-CN']);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  expect(faults).toEqual([]);
  await page.context().close();
});
