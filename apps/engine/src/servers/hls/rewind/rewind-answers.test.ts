import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { formatRewindHead, formatRewindSegment, rewindChunkFolder, rewindSegmentFile } from '@weir/engine-api';
import { rewindStreamFolder, writePlaybackToken } from '@weir/plane';
import { defaultVhost, openAccess } from '@weir/streams';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AccessGate } from '../../../hub/access-gate.ts';
import { Clients } from '../../../hub/clients/clients.ts';
import { FakeGate, temporaryDirectory } from '../../../packagers/hls/hls-source.fixture.ts';
import { openHls, urisOf } from '../hls.fixture.ts';

const hour = 3_600_000;
const place = { vhost: defaultVhost, app: 'live', stream: 'show' };
const first = 100_000_000;
const settings = { rules: [{ pattern: '/live/*', windowSeconds: 24 * 3600 }], key: 'k'.repeat(43) };
const accessKey = { id: 'k', secret: 's'.repeat(43) };
const playback = 'abcdefgh12345678';
const rule = {
  id: 'r',
  pattern: '/live/show',
  mode: 'link' as const,
  sites: [],
  networks: [],
  maxViewers: 0,
  maxPerLink: 0,
  passwordId: '',
  tokenKeys: [],
};
const playbacks = [{ id: playback, place: { vhost: defaultVhost, app: 'live', name: 'show' } }];
const protectedAccess = { rules: [rule], keys: [accessKey], revoked: [], playbacks };
const token = writePlaybackToken(accessKey, {
  playback,
  stream: '',
  id: 'one',
  startsAt: 0,
  devices: 0,
  address: '',
  expiresAt: Math.floor(Date.now() / 1000) + 600,
});

const idOf = (number: number) => `0b9f2c5e-8a0d-4c57-9f6e-${String(number).padStart(12, '0')}`;

/** Fills a window up to now with segments of 2 s, five of which are a piece. Only the last chunk has media. */
async function fill(directory: string, lengthMs: number, nowMs: number): Promise<void> {
  const perChunk = 150;
  const segments = Math.floor(lengthMs / 2000);
  const home = join(directory, rewindStreamFolder(place));
  let number = first;
  for (let from = 0; from < segments; from += perChunk) {
    const folder = join(home, rewindChunkFolder(number));
    await mkdir(folder, { recursive: true });
    const lines = [formatRewindHead({ ...place, discontinuities: 0, pieceMs: 10_000, targetSeconds: 10 })];
    const isLast = from + perChunk >= segments;
    for (let index = from; index < Math.min(segments, from + perChunk); index++) {
      const id = idOf(index);
      // As encoders send them: not all are equally long.
      const durationMs = 2000 + (index % 3 === 0 ? 40 : 0) - (index % 7 === 0 ? 33 : 0);
      const dateMs = nowMs - lengthMs + index * 2000;
      const body = `segment ${index};`;
      const facts = { id, sequence: index, durationMs, bytes: body.length, dateMs, isDiscontinuity: false };
      lines.push(formatRewindSegment({ ...facts, isIndependent: true }));
      if (isLast) await writeFile(join(folder, rewindSegmentFile(id)), body);
    }
    await writeFile(join(folder, 'log'), lines.join(''));
    number += Math.ceil(perChunk / 4);
  }
}

async function open({ lengthMs = hour / 2, isProtected = false, directory = '' } = {}) {
  const home = directory || (await temporaryDirectory());
  const clients = new Clients();
  const gate = new AccessGate({ gate: new FakeGate(), ask: async () => undefined, clients });
  onTestFinished(() => gate.close());
  const opened = await openHls({ rewindDirectory: home, access: gate, gate, clients });
  gate.set(isProtected ? protectedAccess : openAccess);
  opened.hls.rewind.set(settings);
  if (directory === '') await fill(home, lengthMs, opened.clock.dateMs());
  return { ...opened, access: gate, home };
}

it('serves a sliding playlist whose pieces are their segments in a row, also in parts', async () => {
  const { get } = await open();
  const { status, text, headers } = await get('/live/show.dvr.m3u8');
  expect([status, headers['content-type']]).toEqual([200, 'application/vnd.apple.mpegurl']);
  expect(text).toMatch(/^#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-TARGETDURATION:10\n/);
  expect(text).toContain(`#EXT-X-MEDIA-SEQUENCE:${first}\n`);
  expect(text).toContain('#EXT-X-PROGRAM-DATE-TIME:');
  expect(text).not.toMatch(/PLAYLIST-TYPE|ENDLIST/);
  const last = `/live/${urisOf(text).at(-1)}`;
  const piece = (await get(last)).text;
  expect(piece).toMatch(/^segment (\d+);segment (\d+);segment (\d+);segment (\d+);$/);
  expect((await get(last, { headers: { range: 'bytes=8-14' } })).text).toBe(piece.slice(8, 15));
  expect((await get(last, { method: 'HEAD' })).headers['content-length']).toBe(String(piece.length));
  expect((await get(`/live/show.dvr-${first + 9999}.ts`)).status).toBe(404);
});

it('keeps the playlist of a day small: 150 KB at first, 20 KB when it is loaded again', async () => {
  const { get } = await open({ lengthMs: 24 * hour });
  const whole = await get('/live/show.dvr.m3u8', { headers: { 'accept-encoding': 'gzip' } });
  const text = gunzipSync(whole.body).toString();
  expect(urisOf(text).length).toBeGreaterThan(10_000);
  expect(whole.body.length).toBeLessThan(150_000);
  const delta = (await get('/live/show.dvr.m3u8?_HLS_skip=YES')).text;
  expect(delta.length).toBeLessThan(20_000);
  const [, skipped] = /#EXT-X-SKIP:SKIPPED-SEGMENTS=(\d+)/.exec(delta) ?? [];
  expect(Number(skipped) + urisOf(delta).length).toBe(urisOf(text).length);
  expect(urisOf(text).slice(Number(skipped))).toEqual(urisOf(delta));
});

it('obeys the rule of the stream in playlists and pieces, with addresses that survive a restart', async () => {
  const { get, access, home } = await open({ isProtected: true });
  expect((await get('/live/show.dvr.m3u8')).status).toBe(403);
  const [variant = ''] = urisOf((await get(`/play/${playback}.dvr.m3u8?token=${token}`)).text);
  const pieces = urisOf((await get(`/play/${variant}`)).text);
  const last = `/play/${pieces.at(-1)}`;
  expect(last).toMatch(new RegExp(`^/play/${playback}\\.dvr-\\d+\\.ts\\?sign=`));
  expect((await get(last)).status).toBe(200);
  expect((await get(last.replace(/\?.*/, ''))).status).toBe(403);
  expect((await get(last.replace('sign=', 'sign=a'))).status).toBe(403);
  // A signature of ten minutes opens no piece of another stream.
  const other = last.replace(`/play/${playback}`, '/live/other');
  expect((await get(other)).status).toBe(404);

  const restarted = await open({ isProtected: true, directory: home });
  expect((await restarted.get(last)).status).toBe(200);
  restarted.hls.rewind.set({ ...settings, key: 'n'.repeat(43) });
  expect((await restarted.get(last)).status).toBe(403);

  access.set({ ...protectedAccess, revoked: ['one'] });
  await vi.waitFor(async () => {
    expect((await get(`/play/${variant}`)).status).toBe(403);
    expect((await get(last)).status).toBe(403);
  });
});

it('has nothing of a stream without a window, and follows what the control plane adds and removes', async () => {
  const { get, hls, home, clock, source } = await open();
  hls.rewind.set({ ...settings, rules: [{ pattern: '/other/*', windowSeconds: 60 }] });
  for (const path of ['/live/show.dvr.m3u8', `/live/show.dvr-${first}.ts`]) expect((await get(path)).status).toBe(404);
  hls.rewind.set(settings);
  const before = urisOf((await get('/live/show.dvr.m3u8')).text).length;
  const newest = first + 38 * Math.floor((hour / 2 / 2000 - 1) / 150);
  const log = join(home, rewindStreamFolder(place), rewindChunkFolder(newest), 'log');
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
  await writeFile(log, `${[...lines, ...lines.slice(1, 5)].join('\n')}\n`);
  clock.pass(1000);
  const later = (await get('/live/show.dvr.m3u8')).text;
  expect(urisOf(later).length).toBeGreaterThan(before);
  expect(later).not.toContain('ENDLIST');
  clock.pass(60_000);
  expect((await get('/live/show.dvr.m3u8')).text).not.toContain('ENDLIST');
  // Its publisher left and did not return.
  source.publisher = undefined;
  expect((await get('/live/show.dvr.m3u8')).text).toMatch(/\n#EXT-X-ENDLIST\n$/);
});
