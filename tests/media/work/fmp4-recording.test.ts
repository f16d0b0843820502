import { type FSWatcher, mkdirSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from '@weir/contract';
import type { Demuxed } from '@weir/media';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../../e2e/fixtures/browser.fixture.ts';
import { freePort } from '../../free-port.fixture.ts';
import { isAlive, until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { recordIvf } from '../fixtures/ivf.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { examine, Recordings, report } from '../fixtures/record.fixture.ts';
import { Replay, record } from '../fixtures/replay.fixture.ts';

const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:keyint=25:bframes=0'];
const opus = ['-f', 'lavfi', '-i', 'sine=sample_rate=48000', '-c:a', 'libopus', '-ac', '2', '-frame_duration', '20'];
const codecs = { avc: ['h264', 'aac'], hevc: ['hevc', 'aac'], av1: ['av1', 'opus'] } as const;
type Name = keyof typeof codecs;
const names = Object.keys(codecs) as Name[];

let live: Live;
let browser: Browser;
let recordings: Recordings;
let closePublishers: () => Promise<unknown> = async () => undefined;
/** Ids of segments that the engine left for the recorder. */
const announced = new Set<string>();
let watcher: FSWatcher;
beforeAll(async () => {
  // An engine that comes back must be where its publishers look for it.
  const [http, rtmp] = [await freePort(), await freePort()];
  const ports = { MGMT_LISTEN: `127.0.0.1:${http}`, WEIR_RTMP_LISTEN: `127.0.0.1:${rtmp}` };
  [live, browser] = await Promise.all([Live.start(ports), launchBrowser()]);
  recordings = new Recordings(live);
  const spool = join(live.weir.dataDir, 'segments');
  mkdirSync(spool, { recursive: true });
  watcher = watch(spool, (_event, name) => {
    if (name?.endsWith('.m4s')) announced.add(name.slice(-40, -4));
  });
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  await recordings.post('segment-format', { segmentFormat: 'fmp4' });
  await recordings.start();
});
afterAll(async () => {
  await closePublishers();
  watcher.close();
  await Promise.all([live.close(), browser.close()]);
});

const timeOf = (item: Demuxed) => (item.type === 'frame' ? item.frame.dtsMs : -1);
const made = {
  hevc: record(...source, ...x265, '-c:a', 'aac', '-t', '20'),
  av1: [...recordIvf('av1'), ...shifted(record(...opus, '-t', '20'))].sort((a, b) => timeOf(a) - timeOf(b)),
};

/** MPEG-TS of ffmpeg begins at 1.4 s, IVF at 0. */
function shifted(items: readonly Demuxed[]): Demuxed[] {
  const firstMs = Math.min(...items.map(timeOf).filter((ms) => ms >= 0));
  return items.flatMap((item): Demuxed[] => {
    if (item.type === 'metadata') return [];
    if (item.type === 'config') return [item];
    const { dtsMs, ptsMs } = item.frame;
    return [{ ...item, frame: { ...item.frame, dtsMs: dtsMs - firstMs, ptsMs: ptsMs - firstMs } }];
  });
}

async function publish(): Promise<void> {
  const avc = new Publisher(live.publishUrl('avc'));
  const replays = (['hevc', 'av1'] as const).map((name) =>
    Replay.start(live.weir.rtmpPort, `${name}?secret=${live.secret}`, made[name]),
  );
  closePublishers = async () => Promise.all([avc.stop('SIGKILL'), ...replays.map(async (each) => (await each).stop())]);
  await Promise.all(replays);
}

const patience = { timeout: 60_000, interval: 200 };

/** Plays the playlist of a recording on our page, from its beginning, and seeks to its last second. */
async function expectPlayed(uuid: string): Promise<void> {
  const { m3u8 } = await recordings.post('sign', { uuid });
  const { page, faults } = await openPage(browser);
  const ofVideo = (fact: string) =>
    page.evaluate(`(() => { const video = document.querySelector('video'); return video ? ${fact} : undefined; })()`);
  await page.goto(`${live.weir.origin}/tools/player.html?url=${encodeURIComponent(live.weir.origin + m3u8)}`);
  await expect.poll(() => ofVideo('video.readyState'), patience).toBeGreaterThanOrEqual(2);
  await ofVideo('(video.muted = true, void video.play())');
  await expect.poll(() => ofVideo('video.currentTime'), patience).toBeGreaterThan(0.5);
  const last = Number(await ofVideo('Math.min(video.duration, video.seekable.end(0))')) - 1;
  expect(last).toBeGreaterThan(2);
  for (const seconds of [last, 0.2]) {
    await ofVideo(`void (video.currentTime = ${seconds})`);
    await expect.poll(() => ofVideo('video.readyState >= 2 && !video.seeking'), patience).toBe(true);
  }
  expect(faults).toEqual([]);
  await page.context().close();
}

it('records H.264, H.265 and AV1 with Opus as fragmented MP4, through a kill of each process, without converting anything', async () => {
  await publish();
  const [avc, , av1] = await Promise.all(
    names.map((name) => recordings.wait(name, ({ nn }) => nn >= 2, 'two segments')),
  );
  const playlist = await fetch(live.weir.origin + (await recordings.post('sign', { uuid: avc?.uuid })).m3u8);
  expect(await playlist.text()).toMatch(/#EXT-X-VERSION:7[\s\S]*#EXT-X-MAP:URI="[^"]*\/init-[0-9a-f]{32}\.mp4\?sign=/);

  // Chromium here decodes no H.265; ffmpeg reads that recording below.
  for (const recording of [avc, av1]) await expectPlayed(recording?.uuid ?? '');

  const server = live.weir.pidOf('server');
  process.kill(server, 'SIGKILL');
  await until(() => !isAlive(server), 'server gone');
  await recordings.wait('avc', ({ nn }) => nn >= (avc?.nn ?? 0) + 2, 'segments from before and after the kill');
  const engine = live.weir.pidOf('engine');
  process.kill(engine, 'SIGKILL');
  await closePublishers();
  const isBack = async () => (await live.post('/terraform/v1/mgmt/check').catch(() => undefined))?.status === 200;
  await live.weir.replaced('engine', engine);
  await until(isBack, 'engine back');
  await publish();
  const known = new Map((await recordings.list()).map(({ stream, nn }) => [stream, nn]));
  for (const name of names)
    await recordings.wait(name, ({ nn }) => nn >= (known.get(name) ?? 0) + 2, 'segments of the second publisher');
  await closePublishers();
  const isQuiet = ({ update }: { update: string }) => Date.now() - Date.parse(update) > 4000;
  for (const name of names) await recordings.wait(name, isQuiet, 'the last segment is there');

  for (const name of names) {
    const [recording, ...others] = await recordings.list(name);
    expect([recording?.discontinuities, others]).toEqual([1, []]);
    const done = await recordings.finish(recording as Recording);
    expect(done).toMatchObject({ state: 'done', lost: 0, error: '', thumbnail: true });
    const { video, audio, complaints } = await examine(recordings.file(done.uuid, 'index.mp4'));
    report({ name, video, audio, duration: done.duration });
    expect([video.codec_name, audio.codec_name]).toEqual(codecs[name]);
    expect(complaints).toBe('');
    expect(video.endMs / 1000).toBeGreaterThan(done.duration - 1);
    const files = () => readdirSync(recordings.file(done.uuid, '.')).sort();
    await expect.poll(files, patience).toEqual(['index.jpg', 'index.mp4', 'segments.log']);
    if (name !== 'hevc') await expectPlayed(done.uuid);
  }
  const recorded = (await recordings.list()).flatMap(({ uuid }) => recordings.log(uuid).map(([tsid]) => tsid));
  expect([...announced].filter((id) => !recorded.includes(id))).toEqual([]);
  expect(announced.size).toBeGreaterThan(10);
});
