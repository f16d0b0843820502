import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type TranscodeTask, transcodeDefaults } from '@weir/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { Publisher, probe } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';

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
