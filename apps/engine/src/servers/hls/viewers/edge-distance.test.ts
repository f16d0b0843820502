import { expect, it } from 'vitest';
import { sample } from '../../../packagers/hls/hls-source.fixture.ts';
import { openHls, urisOf } from '../hls.fixture.ts';

const settings = { noHlsCtx: false, shortSegments: true };

async function watch(name: string) {
  const opened = await openHls({ settings });
  const { source, get, clients, heard } = opened;
  source.play(sample(13));
  const [uri = ''] = urisOf((await get(`/live/${name}.m3u8`)).text);
  const first = get(`/live/${uri}`);
  await heard();
  // Parts are made from now on.
  source.play(sample(13), 13_000);
  expect((await first).status).toBe(200);
  const [entry] = clients.all();
  return { ...opened, uri, behind: () => entry?.lag?.() };
}

it('a segment player is behind when it requests older segments than its usual buffer', async () => {
  const { get, uri, behind } = await watch('show');
  const segments = urisOf((await get(`/live/${uri}`)).text);
  expect(segments.length).toBeGreaterThanOrEqual(5);
  expect(behind()).toBe(0);
  // Players start three from the end.
  for (const segment of segments.slice(-3)) await get(`/live/${segment}`);
  expect(behind()).toBe(0);
  for (const segment of segments.slice(0, 2)) await get(`/live/${segment}`);
  expect(behind()).toBeGreaterThanOrEqual(2000);
  for (const segment of segments.slice(-2)) await get(`/live/${segment}`);
  expect(behind()).toBe(0);
});

it('a low-latency player is behind by the distance of its parts from the newest', async () => {
  const { get, uri, behind } = await watch('show.ll');
  const text = (await get(`/live/${uri}&_HLS_msn=0`)).text;
  const parts = [...text.matchAll(/#EXT-X-PART:.*URI="([^"]+)"/g)].map(([, part]) => part);
  expect(parts.length).toBeGreaterThan(12);
  for (const part of parts.slice(-2)) expect((await get(`/live/${part}`)).status).toBe(200);
  expect(behind()).toBeLessThan(700);
  for (const part of parts.slice(0, 2)) await get(`/live/${part}`);
  expect(behind()).toBeGreaterThan(3000);
});
