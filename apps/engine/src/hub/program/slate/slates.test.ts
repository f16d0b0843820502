import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AudioConfig, Fmp4Muxer, type MediaFrame, type VideoConfig, writeAudioSpecificConfig } from '@weir/media';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { quietLog } from '../../../quiet-log.fixture.ts';
import { builtInSlates } from './built-in-slates.ts';
import { SlatePlayback } from './slate-loop.ts';
import { plainArt, Slates, usualVideo } from './slates.ts';

const form: VideoConfig = { ...usualVideo, width: 320, height: 180 };
const stereo: AudioConfig = {
  kind: 'audio',
  codec: 'aac',
  sampleRate: 48_000,
  channels: 2,
  profile: 'LC',
  record: writeAudioSpecificConfig({ objectType: 2, sampleRate: 48_000, channels: 2 }),
};
const directory = mkdtempSync(join(tmpdir(), 'slates-'));
const name = (letter: string, extension: string) => `${letter.repeat(32)}.${extension}`;
const make = (source: string, file: string, ...more: string[]) =>
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, ...more, join(directory, file)]);

let slates: Slates;
const open = (options = {}) => {
  slates = new Slates({ log: quietLog, directory, ...options });
  return slates;
};
afterEach(() => slates.close());

/** Frames in a fragmented MP4, as ffmpeg decodes them: how many, and what it complains of. */
function decoded(video: VideoConfig, frames: readonly Omit<MediaFrame, 'dtsMs' | 'ptsMs' | 'kind' | 'codec'>[]) {
  const muxer = new Fmp4Muxer({ video });
  const timed = frames.map((frame, at) => ({
    ...frame,
    kind: 'video' as const,
    codec: video.codec,
    dtsMs: at * 40,
    ptsMs: at * 40,
  }));
  const input = Buffer.concat([muxer.initSegment(), muxer.fragments(timed)]);
  const args = ['-v', 'warning', '-f', 'mov', '-i', 'pipe:0', '-f', 'framehash', '-'];
  const { stdout, stderr } = spawnSync('ffmpeg', args, { input, encoding: 'utf8' });
  return { frames: stdout.split('\n').filter((line) => /^0,/.test(line)).length, said: stderr };
}

describe('a slate', () => {
  it.each(['h264', 'h265', 'av1', 'vp9'] as const)(
    'in %s is one group that decoders accept twice in a row',
    async (codec) => {
      const all = open();
      const wanted = { ...form, codec };
      await vi.waitFor(() => expect(all.find(wanted)?.video).toMatchObject({ codec, width: 320 }), 30_000);
      const loop = all.find(wanted);
      expect(loop?.pictures.map(({ isKeyframe }) => isKeyframe)).toEqual([true, ...new Array(24).fill(false)]);
      expect(decoded(loop?.video ?? form, [...(loop?.pictures ?? []), ...(loop?.pictures ?? [])])).toEqual({
        frames: 50,
        said: '',
      });
    },
  );

  it.each(['h264', 'h265', 'av1'] as const)('of %s has the least bitrate that its owner set', async (codec) => {
    const all = open();
    const wanted = { ...form, codec };
    const art = { ...plainArt, leastKbps: 800 };
    await vi.waitFor(() => expect(all.find(wanted, art)?.video).toMatchObject({ codec, width: 320 }), 30_000);
    const loop = all.find(wanted, art);
    const bits = (loop?.pictures ?? []).reduce((sum, { payload }) => sum + payload.length * 8, 0);
    expect(bits).toBeGreaterThanOrEqual(800_000);
    expect(bits).toBeLessThan(880_000);
    expect(decoded(loop?.video ?? form, loop?.pictures ?? [])).toEqual({ frames: 25, said: '' });
    expect(all.find(wanted, art)).toBe(loop);
  });

  it('shows the picture of its owner, and a film whole', async () => {
    make('color=c=red:s=640x360', name('a', 'png'), '-frames:v', '1');
    make('testsrc2=s=640x360:r=25', name('b', 'mkv'), '-t', '3', '-c:v', 'libx264');
    const all = open();
    const film = { ...plainArt, picture: name('b', 'mkv') };
    await vi.waitFor(() => expect(all.find(form, film)?.pictures).toHaveLength(75), 30_000);
    const still = { ...plainArt, picture: name('a', 'png') };
    await vi.waitFor(() => expect(all.find(form, still)?.video.width).toBe(320), 30_000);
    const loop = all.find(form, still);
    const muxer = new Fmp4Muxer({ video: loop?.video ?? form });
    const first = {
      kind: 'video',
      codec: 'h264',
      dtsMs: 0,
      ptsMs: 0,
      ...loop?.pictures[0],
    } as MediaFrame;
    const input = Buffer.concat([muxer.initSegment(), muxer.fragments([first])]);
    const [red = 0, green = 255] = execFileSync(
      'ffmpeg',
      ['-v', 'error', '-f', 'mov', '-i', 'pipe:0', '-vf', 'scale=1:1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'],
      { input },
    );
    expect([red > 200, green < 60]).toEqual([true, true]);
  });

  it('plays music whose end meets its beginning without a click', async () => {
    // 360 periods in 45 frames of AAC.
    make('sine=frequency=375:sample_rate=48000', name('c', 'flac'), '-t', '0.96', '-ac', '2');
    const all = open();
    const art = { ...plainArt, music: name('c', 'flac') };
    await vi.waitFor(() => expect(all.music(stereo, art)).toHaveLength(45), 30_000);
    const loop = all.music(stereo, art) ?? [];
    const muxer = new Fmp4Muxer({ audio: stereo });
    const frames = [...loop, ...loop, ...loop].map((payload, at) => {
      const dtsMs = (at * 1024) / 48;
      return { kind: 'audio', codec: 'aac', isKeyframe: true, dtsMs, ptsMs: dtsMs, payload } as const;
    });
    const input = Buffer.concat([muxer.initSegment(), muxer.fragments(frames)]);
    const args = ['-v', 'error', '-f', 'mov', '-i', 'pipe:0', '-ac', '1', '-f', 's16le', '-'];
    const bytes = execFileSync('ffmpeg', args, { input });
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1).subarray(8192, 130_000);
    const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    const steepest = samples.reduce((most, sample, at) => {
      return at === 0 ? 0 : Math.max(most, Math.abs(sample - (samples[at - 1] ?? 0)));
    }, 0);
    expect(loudest).toBeGreaterThan(1000);
    expect(steepest / loudest).toBeLessThan(1.2 * 2 * Math.PI * (375 / 48_000));
  });

  it('is a built-in one until its own is there, and when ffmpeg or its file is missing', async () => {
    const all = open({ ffmpeg: 'no-such-program' });
    const art = { ...plainArt, picture: name('d', 'png'), music: name('d', 'flac') };
    expect(all.find({ ...form, width: 1900, height: 1000 }, art)?.video).toMatchObject({ width: 1920 });
    expect(all.find({ ...form, codec: 'av1' }, art)).toBeUndefined();
    expect(all.music(stereo, art)).toBeUndefined();
  });
});

it('shows each of a million pictures at its own time, also at rates that are no whole milliseconds', () => {
  const [loop] = builtInSlates();
  if (!loop) throw new Error('no built-in slate');
  const showing = new SlatePlayback({ ...loop, intervalMs: 1001 / 30 }, 200);
  let last = Number.NEGATIVE_INFINITY;
  let shown = 0;
  for (let next = showing.next(Number.POSITIVE_INFINITY); next && shown < 1_000_000; shown++) {
    if (next.dtsMs <= last) throw new Error(`picture ${shown} is not later than the one before`);
    last = next.dtsMs;
    next = showing.next(Number.POSITIVE_INFINITY);
  }
  expect(last).toBeCloseTo(200 + (999_999 * 1001) / 30, 3);
});
