import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { type LadderRow, type TranscodeTask, transcodeDefaults } from '@weir/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childrenOf, until } from '../../weir.fixture.ts';
import { Publisher, probe } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { examine, Recordings } from '../fixtures/record.fixture.ts';
import { commonSegments, type Listed, packetsOf, segmentsOf, urisOf } from '../fixtures/variants.fixture.ts';

const run = promisify(execFile);

/** Noise, so that an encoder needs all the bits it is given; 30 pictures a second, so that 25 would be seen. */
const source = [
  '-f',
  'lavfi',
  '-i',
  'testsrc2=size=320x240:rate=30,noise=alls=30:allf=t',
  '-f',
  'lavfi',
  '-i',
  'sine=frequency=440:sample_rate=44100',
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-bf',
  '2',
  '-g',
  '60',
  '-b:v',
  '2500k',
  '-c:a',
  'aac',
  '-b:a',
  '96k',
  '-ac',
  '2',
];

let live: Live;
let publisher: Publisher;
beforeAll(async () => {
  live = await Live.start();
  publisher = new Publisher(live.publishUrl('show'), source);
  await until(() => live.isLive('show'), 'a stream to transcode');
});
afterAll(async () => {
  await publisher.stop();
  await live.close();
});

const settings = (change: object = {}) => ({
  ...transcodeDefaults,
  all: true,
  vpreset: 'superfast',
  vbitrate: 500,
  // No secret: to our own server the one of today is shown.
  server: live.rtmp('').replace(/\/$/, ''),
  secret: 'show-trans',
  ...change,
});

async function task(): Promise<TranscodeTask> {
  return (await live.post('/terraform/v1/ffmpeg/transcode/task')).data;
}

async function start(change: object): Promise<void> {
  const before = (await task()).start;
  expect((await live.post('/terraform/v1/ffmpeg/transcode/apply', settings(change))).data).toBeNull();
  const isNew = async () => {
    const { process, start } = await task();
    return process.state === 'live' && start !== before;
  };
  await until(isNew, 'the transcoded stream');
}

interface Packet {
  readonly pts: number;
  readonly dts: number;
  readonly bytes: number;
  readonly isKey: boolean;
}

/** Pictures of some seconds, beginning with a key frame. */
async function pictures(url: string, seconds: number): Promise<Packet[]> {
  const fields = ['-select_streams', 'v', '-show_entries', 'packet=pts_time,dts_time,size,flags', '-of', 'json'];
  const args = ['-v', 'error', '-rw_timeout', '15000000', ...fields, '-read_intervals', `%+${seconds}`, url];
  const { stdout } = await run('ffprobe', args, { timeout: 60_000, maxBuffer: 16 * 2 ** 20 });
  const { packets } = JSON.parse(stdout) as { packets: Record<string, string>[] };
  const all = packets.map(({ pts_time, dts_time, size, flags }) => ({
    pts: Number(pts_time),
    dts: Number(dts_time),
    bytes: Number(size),
    isKey: flags?.includes('K') ?? false,
  }));
  return all.slice(all.findIndex(({ isKey }) => isKey));
}

describe('transcoding with a real encoder', () => {
  it.each([
    { vprofile: 'baseline', vbitrate: 400, achannels: 1, seen: 'Constrained Baseline', channels: 1 },
    { vprofile: 'main', vbitrate: 700, achannels: 2, seen: 'Main', channels: 2 },
    { vprofile: 'high', vbitrate: 1000, achannels: 0, seen: 'High', channels: 2 },
  ])(
    'makes $vprofile at $vbitrate Kbps within a fifth, at the rate of the source, without B-frames',
    async ({ seen, channels, ...change }) => {
      await start(change);
      const [video, audio] = await probe(live.http('show-trans', '.flv'));
      expect(video).toMatchObject({ codec_name: 'h264', profile: seen, width: 320 });
      expect(audio).toMatchObject({ codec_name: 'aac', channels });
      const packets = await pictures(live.http('show-trans', '.flv'), 9);
      const keys = packets.filter(({ isKey }) => isKey).map(({ dts }) => dts);
      // Whole groups of pictures, so that no key frame counts twice or not at all.
      const [from = 0, to = 0] = [keys[0], keys.at(-1)];
      const whole = packets.filter(({ dts }) => dts >= from && dts < to);
      const kbps = whole.reduce((sum, { bytes }) => sum + bytes * 8, 0) / 1000 / (to - from);
      expect(kbps).toBeGreaterThan(change.vbitrate * 0.8);
      expect(kbps).toBeLessThan(change.vbitrate * 1.2);
      expect(whole.length / (to - from)).toBeCloseTo(30, 0);
      expect(packets.every(({ pts, dts }) => pts === dts)).toBe(true);
      for (const [index, key] of keys.slice(1).entries()) expect(key - (keys[index] ?? 0)).toBeLessThan(2.1);
    },
    120_000,
  );

  it('reports its numbers, hides the secret, and never takes its own output as input', async () => {
    await start({ vbitrate: 600 });
    await until(async () => ((await task()).process.numbers?.fps ?? 0) > 20, 'numbers');
    const seen = await task();
    expect(seen).toMatchObject({ enabled: true, input: 'live/show', outputStream: 'live/show-trans' });
    expect(seen.output).toBe(live.rtmp('show-trans'));
    expect(seen.frame?.log).toMatch(/^frame=\d+ fps=\S+ q=\S+ size=\S+ time=\S+ bitrate=\S+ speed=\S+x$/);
    const log = await live.post('/terraform/v1/ffmpeg/log', { key: 'transcode/main' });
    expect(JSON.stringify([seen, log.data])).not.toContain(live.secret);
    expect(live.weir.output).not.toContain(live.secret);
  });

  it('is not restarted by a save that changes nothing, waits when its source leaves, and returns with it', async () => {
    const before = await task();
    await live.post('/terraform/v1/ffmpeg/transcode/apply', settings({ vbitrate: 600 }));
    await publisher.stop();
    await until(async () => (await task()).process.state === 'waiting', 'waiting');
    expect((await task()).process).toMatchObject({ starts: before.process.starts, failure: null });
    publisher = new Publisher(live.publishUrl('show'), source);
    await until(async () => (await task()).process.state === 'live', 'live again');
    expect((await task()).process.starts).toBe(before.process.starts + 1);
    await live.post('/terraform/v1/ffmpeg/transcode/apply', settings({ all: false }));
    await until(async () => (await task()).process.state === 'off', 'off');
    const streams = async () => (await live.post('/terraform/v1/mgmt/streams/query')).data.streams;
    await until(async () => (await streams()).length === 1, 'the result gone');
  });

  it('begins at the keyframe that has been sent already, however long the next one takes', async () => {
    // A single keyframe at the start: a decoder that misses it waits for ever.
    const single = source.map((word, index) => (source[index - 1] === '-g' ? '100000' : word));
    const long = new Publisher(live.publishUrl('long'), [...single, '-sc_threshold', '0']);
    try {
      await until(() => live.isLive('long'), 'a stream with one key frame');
      await start({ stream: 'long', secret: 'long-trans' });
      expect((await task()).process).toMatchObject({ state: 'live', failures: 0 });
    } finally {
      await live.post('/terraform/v1/ffmpeg/transcode/apply', settings({ all: false, stream: '' }));
      await long.stop();
    }
  });
});

/** With B-frames, so that decoding and showing are in different orders. */
const film = source.map((word) => word.replace('320x240:rate=30,noise=alls=30:allf=t', '640x360:rate=25'));
const rule = {
  pattern: '/live/film',
  encoder: 'libx264',
  preset: 'ultrafast',
  // Other tests keep this machine busy.
  isForced: true,
  rungs: [
    { lines: 240, kbps: 500 },
    { lines: 144, kbps: 200 },
  ],
};

async function ladderRow(): Promise<LadderRow | undefined> {
  return (await live.post('/terraform/v1/ffmpeg/ladder/query')).data.streams[0];
}

/** Frames of a segment from its first on, 64 × 36 pixels in shades of grey. */
async function framesOf(url: string, count: number): Promise<Buffer[]> {
  const form = ['-vf', 'scale=64:36:flags=area,format=gray', '-frames:v', String(count), '-fps_mode', 'passthrough'];
  const args = ['-v', 'error', '-i', url, ...form, '-f', 'rawvideo', '-'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 20 });
  return Array.from({ length: count }, (_, n) => stdout.subarray(n * 64 * 36, (n + 1) * 64 * 36));
}

const distance = (a: Buffer, b: Buffer) => a.reduce((sum, level, at) => sum + Math.abs(level - (b[at] ?? 0)), 0);

const ladderChild = () =>
  childrenOf(live.weir.pidOf('engine')).find((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('[0:v:0]split');
    } catch {
      // The child ended meanwhile.
      return false;
    }
  });

describe('a ladder made here', () => {
  let sender: Publisher;
  const url = () => live.http('film', '.m3u8');
  const recordings = () => new Recordings(live);
  const text = async (address: string) => (await fetch(address)).text();
  let urls: string[] = [];
  const lists = async () => (await Promise.all(urls.map(text))).map(segmentsOf);

  beforeAll(async () => {
    await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
    expect((await live.post('/terraform/v1/ffmpeg/ladder/save', rule)).code).toBe(0);
    await recordings().post('globs', { globs: ['/live/film'] });
    await recordings().post('qualities', { qualities: ['144p'] });
    await recordings().start();
    sender = new Publisher(live.publishUrl('film'), film);
    const isWhole = async () => {
      const master = await text(url());
      urls = urisOf(master).map((uri) => new URL(uri, url()).href);
      return (master.match(/RESOLUTION=\d+x(360|240|144)/g) ?? []).length === 3;
    };
    await until(isWhole, 'three qualities', 180_000);
  });
  afterAll(() => sender.stop());

  it('is cut at the same frames in all qualities, and each shows the same picture', async () => {
    let all: Map<number, Listed>[] = [];
    await until(async () => {
      all = await lists();
      return commonSegments(all).length >= 2;
    }, 'segments of all qualities');
    const number = commonSegments(all).at(-1) ?? 0;
    const facts = all.map((list) => ({ ...list.get(number), uri: '' }));
    for (const each of facts) expect(each).toEqual(facts[0]);
    const addresses = all.map((list, n) => new URL(list.get(number)?.uri ?? '', urls[n]).href);
    const packets = await Promise.all(addresses.map(packetsOf));
    for (const each of packets) expect(each).toEqual(packets[0]);
    expect(packets[0]).toMatchObject({ beginsWithKeyframe: true });
    const [top = [], ...lower] = await Promise.all(addresses.map((address) => framesOf(address, 5)));
    for (const frames of lower) {
      // The nearest of the source's first frames is the one at the same place.
      const nearest = frames.map((frame) => {
        const distances = top.map((one) => distance(frame, one));
        return distances.indexOf(Math.min(...distances));
      });
      expect(nearest).toEqual([0, 1, 2, 3, 4]);
    }
    expect(await ladderRow()).toMatchObject({ state: 'running', encoder: 'libx264', rungs: [{}, { name: '144p' }] });
  });

  it('comes back when ffmpeg is killed, without a gap in the source, and outlives a crash of the control plane', async () => {
    const killed = ladderChild();
    const before = Math.max(...commonSegments(await lists()));
    process.kill(killed ?? 0, 'SIGKILL');
    const killedMs = performance.now();
    await until(() => ![undefined, killed].includes(ladderChild()), 'another child');
    const startedMs = performance.now();
    // The list is of up to a second ago.
    const isRunning = async () => performance.now() - startedMs > 1200 && (await ladderRow())?.state === 'running';
    await until(isRunning, 'frames of it');
    const backSeconds = (performance.now() - killedMs) / 1000;
    const newest = Math.max(...(await lists()).flatMap((list) => [...list.keys()]));
    let all: Map<number, Listed>[] = [];
    // A child that was killed between two groups of pictures leaves no gap.
    await until(async () => {
      all = await lists();
      return all.every((list) => [...list].some(([n, { isGap }]) => n > newest && !isGap));
    }, 'both qualities again');
    const [top, ...lower] = all;
    expect([...(top?.values() ?? [])].filter(({ isGap }) => isGap)).toEqual([]);
    for (const list of lower) {
      const gaps = [...list].filter(([n, { isGap }]) => n > before && isGap);
      // A child that was too slow for a group of pictures, on a busy machine, is seldom in time with the next ones.
      expect(gaps.reduce((sum, [, { seconds }]) => sum + Number(seconds), 0)).toBeLessThan(backSeconds + 20);
    }
    const child = ladderChild();
    expect(child).not.toBe(killed);
    await live.weir.crashServer();
    await until(async () => (await ladderRow())?.state === 'running', 'the ladder in the list');
    expect(ladderChild()).toBe(child);
    expect((await live.post('/terraform/v1/ffmpeg/ladder/query')).data.rules).toMatchObject([rule]);
  });

  it('is recorded in the chosen quality alone, through the death of ffmpeg and of the control plane', async () => {
    const [recording, ...others] = await recordings().list();
    expect(others).toEqual([]);
    const later = await recordings().wait('film', ({ nn }) => nn > (recording?.nn ?? 0), 'another segment');
    const done = await recordings().finish(later);
    expect(done).toMatchObject({ stream: 'film', quality: '144p', state: 'done' });
    const file = recordings().file(done.uuid, 'index.mp4');
    expect(await probe(file)).toMatchObject([{ codec_name: 'h264', height: 144 }, { codec_name: 'aac' }]);
    const { video, audio } = await examine(file);
    // A segment counts as whole while at most a second of its video is missing at the end.
    expect(Math.abs(video.endMs - audio.endMs)).toBeLessThan(1100);
  });
});
