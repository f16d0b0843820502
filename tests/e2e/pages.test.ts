import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../media/fixtures/live.fixture.ts';
import { until } from '../weir.fixture.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  fakeDevices,
  launchBrowser,
  openDesk,
  openPage,
  videoIs,
  type Watched,
} from './fixtures/browser.fixture.ts';
import { RtcAnswerer } from './fixtures/rtc-answerer.fixture.ts';

const password = 'the password';
let live: Live;
let browser: Browser;
/** The browser of somebody who is not signed in. */
let guest: BrowserContext;
let publisher: Publisher;
beforeAll(async () => {
  [live, browser] = await Promise.all([Live.start(), launchBrowser(fakeDevices)]);
  guest = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  publisher = new Publisher(live.publishUrl('show'));
  await until(() => live.isLive('show'), 'live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await Promise.all([browser.close(), live.close()]);
});

async function open(path: string): Promise<Watched> {
  const watched = await openPage(guest);
  await watched.page.goto(live.weir.origin + path);
  return watched;
}

const figure = (page: Page, name: string): Locator => page.locator('dl > div', { hasText: name }).locator('dd');
const word = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

describe('the player', () => {
  it.each([
    ['.flv', /^\d+ ms$|^[01](\.\d)? sec$/],
    ['.ll.m3u8', /^[0-9](\.\d)? sec$|^\d+ ms$/],
  ])('plays %s without a touch, muted, and measures it', async (suffix, delay) => {
    const { page, faults, hosts } = await open(`/tools/player.html?url=${live.http('show', suffix)}`);
    await videoIs(page, 'video.currentTime > 1 && video.videoWidth === 640');
    await until(async () => (await figure(page, 'Resolution').textContent()) === '640 × 360', 'its size');
    await until(async () => /^2\d fps$/.test((await figure(page, 'Frame rate').textContent()) ?? ''), 'its frame rate');
    await until(
      async () => /^\d{3}\skbit\/s$/.test((await figure(page, 'Bitrate').textContent()) ?? ''),
      'its bitrate',
    );
    await until(async () => delay.test((await figure(page, 'Latency').textContent()) ?? ''), 'its delay');
    expect(await figure(page, 'Codecs').textContent()).toMatch(/^avc1\.42c01e · mp4a\.40\.2$/i);
    await page.getByRole('button', { name: 'Unmute' }).first().click();
    await videoIs(page, '!video.muted && !video.paused');
    await page.locator('video').hover();
    await page.getByRole('button', { name: 'Pause' }).click();
    await videoIs(page, 'video.paused');
    await page.getByRole('button', { name: 'Play', exact: true }).last().click();
    await videoIs(page, '!video.paused');
    await expectAccessible(page);
    expect(faults).toEqual([]);
    expect([...hosts]).toEqual([new URL(live.weir.origin).host]);
    await page.close();
  });

  it('waits for a stream, plays it when it comes, and again after its publisher came back', async () => {
    const { page } = await open(`/players/srs_player.html?stream=again.flv&autostart=true`);
    await word(page, 'Waiting for the stream');
    const first = new Publisher(live.publishUrl('again'));
    await videoIs(page, 'video.currentTime > 0.5 && !video.paused');
    await first.stop();
    await word(page, 'Waiting for the stream');
    const second = new Publisher(live.publishUrl('again'));
    await videoIs(page, 'video.currentTime > 0.5 && !video.paused');
    await second.stop('SIGKILL');
    await page.close();
  });

  it('takes another address, keeps it in its own, and reads it back', async () => {
    const { page } = await open('/tools/player.html');
    await word(page, 'Enter a stream URL above to watch it here.');
    const field = page.getByRole('textbox', { name: 'Stream URL' });
    await field.fill('rtmp://a.test/live/x');
    await field.press('Enter');
    await page.getByText(/^Browsers can't play this protocol\. /).waitFor();
    await field.fill(live.http('show', '.flv'));
    await page.getByRole('button', { name: 'Play' }).click();
    await videoIs(page, 'video.currentTime > 0.2 && !video.muted');
    await page.reload();
    await videoIs(page, 'video.currentTime > 0.2 && video.muted');
    expect(await field.inputValue()).toBe(live.http('show', '.flv'));
    await page.close();
  });

  it('fills the window on xgplayer.html, in the language its address asks for', async () => {
    const { page, faults } = await open(`/tools/xgplayer.html?lang=zh-cn&url=${live.http('show', '.flv')}`);
    await videoIs(page, 'video.currentTime > 0.2');
    await page.getByRole('button', { name: '取消静音' }).first().waitFor();
    expect(await page.evaluate('document.querySelector("video").clientWidth')).toBeGreaterThan(1400);
    await page.getByText('播放数据').click();
    await page.getByText('640 × 360').waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
    await page.close();
  });
});

describe('hostile parameters', () => {
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
  ])('are text on %s in %j', async (path, names) => {
    const { page, hosts } = await openPage(guest);
    for (const value of values) {
      const query = new URLSearchParams({ autostart: 'true' });
      for (const name of names) query.set(name, value);
      await page.goto(`${live.weir.origin}${path}?${query}`);
      await page.getByRole('main').waitFor();
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
      expect(await page.evaluate('window.hacked === undefined && document.querySelector("img") === null')).toBe(true);
    }
    expect([...hosts]).toEqual([new URL(live.weir.origin).host]);
    await page.close();
  });
});

describe('WebRTC pages, against an answering page', () => {
  let answerer: RtcAnswerer;
  beforeAll(async () => {
    const { page } = await open('/players/whip.html');
    answerer = await RtcAnswerer.open(page);
  });

  async function openRtc(path: string): Promise<Watched> {
    const watched = await openPage(guest);
    await watched.page.route('**/rtc/v1/**', answerer.serve);
    await watched.page.goto(live.weir.origin + path);
    return watched;
  }

  it('whep.html plays, tells codecs, round trip and loss, and says good-bye', async () => {
    const { page, faults } = await openRtc('/players/whep.html?stream=cam&eip=127.0.0.1&autostart=true');
    await videoIs(page, 'video.videoWidth > 0 && video.srcObject.getTracks().length === 2');
    expect(new URL(answerer.posts.at(-1)?.url ?? '').search).toBe('?app=live&stream=cam&eip=127.0.0.1');
    await until(async () => /fps$/.test((await figure(page, 'Frame rate').textContent()) ?? ''), 'a frame rate');
    await until(async () => /ms$/.test((await figure(page, 'Round trip').textContent()) ?? ''), 'a round trip');
    await until(
      async () => /^\d/.test((await figure(page, 'Server-to-screen latency').textContent()) ?? ''),
      'a delay',
    );
    expect(await figure(page, 'Codecs').textContent()).toMatch(/(VP8|VP9|H264|AV1).* · opus/);
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

  it('rtc_player.html maps webrtc:// to the same call, and waits while there is no such stream', async () => {
    answerer.refusal = { status: 404, body: '{"code":1003,"data":{"message":"no such stream is live"}}' };
    const { page } = await openRtc('/players/rtc_player.html?stream=cam&autostart=true');
    await word(page, 'Waiting for the stream');
    expect(await page.getByRole('textbox').inputValue()).toMatch(/^webrtc:\/\/127\.0\.0\.1:\d+\/live\/cam$/);
    answerer.refusal = undefined;
    await videoIs(page, 'video.videoWidth > 0');
    await page.close();
  });

  it('whip.html publishes camera and sound, follows choices while live, comes back, and stops', async () => {
    const { page, faults } = await openRtc('/players/whip.html?stream=cam&secret=s3cret&autostart=true');
    await word(page, 'Live');
    expect(new URL(answerer.posts.at(-1)?.url ?? '').search).toBe('?app=live&stream=cam&secret=s3cret');
    await until(async () => (await answerer.received()).frames > 10, 'frames arrive');
    expect((await answerer.received()).audioPackets).toBeGreaterThan(0);
    expect((await answerer.received()).codec).toBe('video/H264');
    await until(async () => /fps$/.test((await figure(page, 'Frame rate').textContent()) ?? ''), 'a frame rate');
    expect(await figure(page, 'Codecs').textContent()).toMatch(/^H264 42.* · opus$/);
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

  it('whip.html tells a refusal in words', async () => {
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

  it('whip.html does not send a camera to another server by a link alone', async () => {
    const { page } = await openRtc('/players/whip.html?server=weir.test&autostart=true');
    const before = answerer.posts.length;
    await page.getByText(/your video and audio are sent to weir\.test:1985/).waitFor();
    await word(page, 'Not live');
    expect(answerer.posts.length).toBe(before);
    await page.close();
  });

  it('whip.html says that a camera needs https, and leads to the same page there', async () => {
    const { page } = await openPage(guest);
    await page.goto(`http://weir.test:${live.weir.httpPort}/players/whip.html?stream=show&secret=s`);
    await page.getByRole('button', { name: 'Go live' }).click();
    await word(page, 'Camera and microphone need HTTPS');
    const https = `https://weir.test:${live.weir.httpsPort}`;
    const link = page.getByRole('link', { name: `Open this page at ${https}` });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`${https}/players/whip.html?stream=show&secret=s`);
    await expectAccessible(page);
    await page.close();
  });
});

describe('the server console', () => {
  it('needs the sign-in of the console, and says where', async () => {
    const { page, faults } = await open('/console/en_index.html#/summaries?port=2022&http=2022');
    await word(page, 'You are not signed in, or your session has expired');
    expect(await page.getByRole('link', { name: 'Open console' }).getAttribute('href')).toBe('/mgmt/');
    await expectAccessible(page);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('shows summary, hosts, streams and connections live, and disconnects after asking', async () => {
    const session = (await live.weir.post('/terraform/v1/mgmt/login', { password })).data;
    const { page, faults, hosts } = await openPage(await openDesk(browser, { origin: live.weir.origin, session }));
    await page.goto(`${live.weir.origin}/console/en_index.html#/summaries?port=2022&http=2022`);
    await word(page, 'Traffic');
    await until(async () => /kbit\/s/.test((await page.locator('dl').last().textContent()) ?? ''), 'rates');
    await page.getByRole('link', { name: 'Virtual hosts' }).click();
    await word(page, '__defaultVhost__');
    await page.getByRole('link', { name: 'Streams' }).click();
    await page.getByRole('row', { name: /live\/show Live.*640×360.*AAC/ }).waitFor();
    await expectAccessible(page);
    const watch = page.getByRole('link', { name: 'Watch' });
    expect(await watch.getAttribute('href')).toBe(
      '/players/srs_player.html?app=live&stream=show.flv&port=2022&autostart=true',
    );
    await page.getByRole('link', { name: 'live/show' }).click();
    await word(page, 'Live since');

    const viewer = await open(`/tools/player.html?url=${live.http('show', '.flv')}`);
    await videoIs(viewer.page, 'video.currentTime > 0.2');
    await page.getByRole('link', { name: 'Connections' }).click();
    // Who came last stands last.
    const viewers = page.getByRole('row', { name: /Viewer flv-play/ });
    const id = await viewers.last().locator('[data-code]').textContent();
    await page
      .getByRole('row', { name: id ?? '?' })
      .getByRole('button', { name: 'Disconnect' })
      .click();
    await page.getByText('This ends playback for the viewer.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText(id ?? '?', { exact: true }).waitFor({ state: 'detached' });
    await viewer.page.close();

    await page.getByText('中文', { exact: true }).click();
    await page.getByRole('heading', { name: '媒体服务器' }).waitFor();
    expect(page.url()).toContain('/console/ng_index.html#/clients');
    expect(faults).toEqual([]);
    expect([...hosts]).toEqual([new URL(live.weir.origin).host]);
    await page.close();
  });
});

it('on a phone, dark, in Chinese every page is readable, reachable and not too wide', async () => {
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'zh-CN' } as const;
  const { page, faults } = await openPage(browser, phone);
  for (const path of [
    '/tools/player.html?url=/live/none.flv',
    '/tools/xgplayer.html?url=/live/none.flv',
    '/players/srs_player.html',
    '/players/whep.html',
    '/players/whip.html',
    '/console/ng_index.html',
  ]) {
    await page.goto(live.weir.origin + path);
    await page.getByRole('main').waitFor();
    expect([path, await page.getAttribute('html', 'lang')]).toEqual([path, 'zh-CN']);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  expect(faults).toEqual([]);
  await page.context().close();
});
