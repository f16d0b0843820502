import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Live } from '../media/fixtures/live.fixture.ts';
import { until } from '../weir.fixture.ts';
import { fakeDevices, launchBrowser, openPage, videoIs } from './fixtures/browser.fixture.ts';

let live: Live;
let browser: Browser;
beforeAll(async () => {
  [live, browser] = await Promise.all([Live.start(), launchBrowser(fakeDevices)]);
});
afterAll(async () => {
  await Promise.all([browser.close(), live.close()]);
});

async function open(path: string) {
  const watched = await openPage(browser);
  await watched.page.goto(live.weir.origin + path);
  return watched;
}

const hasSound = 'video.captureStream().getAudioTracks().length > 0';

it('a camera published in one page is watched in others, by WebRTC and by FLV with sound, until it stops', async () => {
  const refused = await open('/players/whip.html?stream=camera&secret=wrong&autostart=true');
  await refused.page.getByText('Publishing with this URL is not allowed').waitFor();
  await refused.page.context().close();

  const camera = await open(`/players/whip.html?stream=camera&secret=${live.secret}&autostart=true`);
  await camera.page.getByText('Live', { exact: true }).waitFor();
  const near = await open('/players/whep.html?stream=camera&autostart=true');
  const far = await open(`/tools/player.html?url=${live.http('camera', '.flv')}`);
  for (const { page } of [near, far])
    await videoIs(page, `video.currentTime > 1 && video.videoWidth > 0 && ${hasSound}`);

  await camera.page.getByRole('button', { name: 'Stop' }).click();
  await camera.page.getByText('Not live', { exact: true }).waitFor();
  await until(
    async () => (await live.post('/terraform/v1/mgmt/streams/query')).data.streams.length === 0,
    'it is over',
  );
  for (const { page, faults, hosts } of [camera, near, far]) {
    expect(faults).toEqual([]);
    expect([...hosts]).toEqual([new URL(live.weir.origin).host]);
    await page.context().close();
  }
});
