import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeAhead, encoding, Publisher } from '../../media/fixtures/ffmpeg.fixture.ts';
import { Replay, record } from '../../media/fixtures/replay.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { expectAccessible, openDesk, openPage, videoIs, watchPhases } from '../fixtures/browser.fixture.ts';
import { figure, pagesOfFile, word } from '../fixtures/pages.fixture.ts';

const pages = pagesOfFile();
let publisher: Publisher;
beforeAll(async () => {
  publisher = new Publisher(pages.live.publishUrl('show'));
  await until(() => pages.live.isLive('show'), 'live');
});
afterAll(() => publisher?.stop('SIGKILL'));

const tone = (sampleRate: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${sampleRate}`];
const source = (size: string, rate: number, sampleRate: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=${rate}`,
  ...tone(sampleRate),
  ...encoding,
];

// Each mostly waits: for pictures, and for a player to notice that there are none.
describe.concurrent('the player', () => {
  it.each([
    ['.flv', /^\d{1,3} ms$/],
    ['.ll.m3u8', /^[0-9](\.\d)? sec$|^\d+ ms$/],
  ])('plays %s without interaction, muted, and measures it', async (suffix, delay) => {
    const { page, faults, hosts } = await pages.open(`/tools/player.html?url=${pages.live.http('show', suffix)}`);
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
    expect([...hosts]).toEqual([new URL(pages.live.weir.origin).host]);
    await page.close();
  });

  it('waits for a stream, plays it when it starts, and again after its publisher returned', async () => {
    const { page } = await pages.open(`/players/srs_player.html?stream=again.flv&autostart=true`);
    await word(page, 'Waiting for the stream');
    const first = new Publisher(pages.live.publishUrl('again'));
    await videoIs(page, 'video.currentTime > 0.5 && !video.paused');
    await first.stop();
    await word(page, 'Waiting for the stream');
    const second = new Publisher(pages.live.publishUrl('again'));
    await videoIs(page, 'video.currentTime > 0.5 && !video.paused');
    await second.stop('SIGKILL');
    await page.close();
  });

  it('continues when a publisher returns with another size, frame rate and sample rate', async () => {
    const name = 'changed';
    const smaller = source('320x180', 30, 48_000);
    encodeAhead(smaller);
    const first = new Publisher(pages.live.publishUrl(name), source('640x360', 25, 44_100));
    await until(() => pages.live.isLive(name), 'live');
    const open = (suffix: string) => pages.open(`/tools/player.html?url=${pages.live.http(name, suffix)}`);
    const [flv, low] = await Promise.all([open('.flv'), open('.ll.m3u8')]);
    for (const { page } of [flv, low]) {
      await videoIs(page, 'video.currentTime > 1 && video.videoWidth === 640');
      await page.evaluate(watchPhases);
    }
    await first.stop('SIGKILL');
    const second = new Publisher(pages.live.publishUrl(name), smaller);
    for (const { page } of [flv, low]) {
      await videoIs(page, 'video.videoWidth === 320 && !video.paused && video.readyState > 2');
      await page.evaluate('window.from = document.querySelector("video").currentTime');
      await videoIs(page, 'video.currentTime > window.from + 3 && video.buffered.length === 1');
    }
    // A viewer of FLV is not told of anything: the server kept the connection, and the page its place.
    expect(await flv.page.evaluate('window.phases')).not.toContain('waiting');
    await second.stop('SIGKILL');
    await Promise.all([flv.page.close(), low.page.close()]);
  });

  it.each(['.flv', '.ll.m3u8'])('plays %s of an encoder that announces audio and sends none', async (suffix) => {
    const name = `silent${suffix.length}`;
    const items = record('-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', ...tone(44_100), ...encoding, '-t', '4');
    const half = items.filter((item) => item.type !== 'frame' || item.frame.kind === 'video');
    const replay = await Replay.start(pages.live.weir.rtmpPort, `${name}?secret=${pages.live.secret}`, half);
    const { page } = await pages.open(`/tools/player.html?url=${pages.live.http(name, suffix)}`);
    await videoIs(page, 'video.currentTime > 1 && video.videoWidth === 320');
    await replay.stop();
    await page.close();
  });

  it('accepts another address, keeps it in the page address, and reads it back', async () => {
    const { page } = await pages.open('/tools/player.html');
    await word(page, 'Enter a stream URL above to watch it here.');
    const field = page.getByRole('textbox', { name: 'Stream URL' });
    await field.fill('rtmp://a.test/live/x');
    await field.press('Enter');
    await page.getByText(/^Browsers can't play this protocol\. /).waitFor();
    await field.fill(pages.live.http('show', '.flv'));
    await page.getByRole('button', { name: 'Play' }).click();
    await videoIs(page, 'video.currentTime > 0.2 && !video.muted');
    await page.reload();
    await videoIs(page, 'video.currentTime > 0.2 && video.muted');
    expect(await field.inputValue()).toBe(pages.live.http('show', '.flv'));
    await page.close();
  });

  it('fills the window on xgplayer.html, in the language its address asks for', async () => {
    const { page, faults } = await pages.open(`/tools/xgplayer.html?lang=zh-cn&url=${pages.live.http('show', '.flv')}`);
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

describe('the server console', () => {
  it('needs the sign-in of the console, and links to it', async () => {
    const { page, faults } = await pages.open('/console/en_index.html#/summaries?port=2022&http=2022');
    await word(page, 'You are not signed in, or your session has expired');
    expect(await page.getByRole('link', { name: 'Open console' }).getAttribute('href')).toBe('/mgmt/');
    await expectAccessible(page);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('shows summary, hosts, streams and connections live, and disconnects after asking', async () => {
    const { page, faults, hosts } = await openPage(
      await openDesk(pages.browser, { origin: pages.live.weir.origin, session: pages.live.session }),
    );
    await page.goto(`${pages.live.weir.origin}/console/en_index.html#/summaries?port=2022&http=2022`);
    await word(page, 'Traffic');
    await until(async () => /kbit\/s/.test((await page.locator('dl').last().textContent()) ?? ''), 'rates');
    await page.getByRole('link', { name: 'Virtual hosts' }).click();
    await word(page, '__defaultVhost__');
    await page.getByRole('link', { name: 'Streams' }).click();
    await page.getByRole('row', { name: /live\/show Live.*640×360.*AAC/ }).waitFor();
    await expectAccessible(page);
    const watch = page.getByRole('row', { name: /live\/show/ }).getByRole('link', { name: 'Watch' });
    expect(await watch.getAttribute('href')).toBe(
      '/players/srs_player.html?app=live&stream=show.flv&port=2022&autostart=true',
    );
    await page.getByRole('link', { name: 'live/show' }).click();
    await word(page, 'Live since');

    const viewer = await pages.open(`/tools/player.html?url=${pages.live.http('show', '.flv')}`);
    await videoIs(viewer.page, 'video.currentTime > 0.2');
    await page.getByRole('link', { name: 'Connections' }).click();
    // The newest viewer is listed last.
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
    expect([...hosts]).toEqual([new URL(pages.live.weir.origin).host]);
    await page.close();
  });
});
