import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../media/fixtures/live.fixture.ts';
import { launchCallingBrowser } from '../media/fixtures/webrtc.fixture.ts';
import { until } from '../weir.fixture.ts';
import { videoIs } from './fixtures/browser.fixture.ts';

let live: Live;
let browser: Browser;
let publisher: Publisher;

beforeAll(async () => {
  // Media of WebRTC goes over IPv6 and nothing else.
  const env = { MGMT_LISTEN: '[::1]:0', WEIR_RTC_LISTEN: '[::1]:0' };
  [live, browser] = await Promise.all([Live.start(env), launchCallingBrowser()]);
  publisher = new Publisher(live.publishUrl('show'));
  await until(() => live.isLive('show'), 'live');
});
afterAll(async () => {
  await publisher.stop('SIGKILL');
  await Promise.all([browser.close(), live.close()]);
});

async function openPlayer(query = '') {
  const page = await browser.newPage({ locale: 'en-US' });
  await page.goto(`${live.weir.origin}/players/whep.html?stream=show&autostart=true${query}`);
  return page;
}

describe('F21: a browser', () => {
  it('with IPv6 alone plays by WebRTC', async () => {
    const page = await openPlayer();
    await videoIs(page, 'video.currentTime > 0.5');
    await page.close();
  });

  it('whose UDP is blocked shows that, and what works instead', async () => {
    // Packets to this address are lost, as behind a firewall.
    const page = await openPlayer('&eip=127.0.0.1');
    await page.getByText('WebRTC connection failed').first().waitFor();
    await page
      .getByText(/UDP 8000.* or watch over FLV or HLS/)
      .first()
      .waitFor();
    await page.close();
  });
});
