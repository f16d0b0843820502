import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AudioConfig, type MediaFrame, writeAudioSpecificConfig } from '@weir/media';
import { createLog } from '@weir/plane';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Conversion, type ConversionContext } from './conversion.ts';
import { aacArgs, opusArgs } from './ffmpeg-args.ts';
import { lateMs } from './interleaver.ts';
import { type Clip, childrenNamed, record, until } from './player-views.fixture.ts';
import { defaultLimits } from './player-views.ts';
import { Transcoder } from './transcoder.ts';

let opus: Clip;
let folder: string;
const closing: (() => void)[] = [];
const ended = new Set<Promise<unknown>>();
beforeAll(() => {
  opus = record(1, 'opus');
  folder = mkdtempSync(join(tmpdir(), 'weir-conversion-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await Promise.all(ended);
});

function program(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

function contextOf(ffmpeg = 'ffmpeg'): ConversionContext {
  return {
    ffmpeg,
    log: createLog('test', 'error'),
    limits: defaultLimits,
    onStarted: (_kind, end) => ended.add(end),
    videos: () => 0,
    onMissing: () => undefined,
    isMissing: () => false,
  };
}

function sourceOf({ audio }: Clip): AudioConfig {
  if (!audio) throw new Error('a clip without sound');
  return audio;
}

function convert(source: AudioConfig, onFrame: (frame: MediaFrame) => void, ffmpeg?: string): Conversion {
  const args = source.codec === 'opus' ? aacArgs : opusArgs;
  const options = { source, args, recent: () => [], mostLateMs: lateMs, onConfig: () => undefined, onFrame };
  const conversion = new Conversion(options, contextOf(ffmpeg));
  closing.push(() => conversion.close());
  return conversion;
}

const dayMs = 24 * 3600 * 1000;
const at = (frames: readonly MediaFrame[], fromMs: number) => {
  const first = frames[0]?.dtsMs ?? 0;
  return frames.map((frame) => ({
    ...frame,
    dtsMs: frame.dtsMs - first + fromMs,
    ptsMs: frame.ptsMs - first + fromMs,
  }));
};

describe('Conversion', () => {
  it('F03: keeps the clock of its source for days, beyond the timestamp range of a child', async () => {
    const heard: MediaFrame[] = [];
    const conversion = convert(sourceOf(opus), (frame) => heard.push(frame));
    await until(() => conversion.pid !== undefined, 'started');
    const firstPid = conversion.pid;
    const startMs = 3 * dayMs + 123.456;
    const endOf = (fromMs: number) => fromMs + 50 * 20;
    for (const frame of at(opus.frames, startMs)) conversion.feed(frame);
    await until(() => (heard.at(-1)?.dtsMs ?? 0) > endOf(startMs) - 100, 'the first second');
    expect(heard[0]?.dtsMs).toBeCloseTo(startMs - 1024 / 48, 1);
    // More than a day later by the clock of the stream.
    const laterMs = startMs + dayMs + 60_000;
    for (const frame of at(opus.frames, laterMs)) conversion.feed(frame);
    await until(() => (heard.at(-1)?.dtsMs ?? 0) > endOf(laterMs) - 100, 'a second of the next day');
    expect(conversion.pid).not.toBe(firstPid);
    const later = heard.filter(({ dtsMs }) => dtsMs > laterMs - 1000);
    expect(later[0]?.dtsMs).toBeCloseTo(laterMs - 1024 / 48, 1);
    expect(later.at(-1)?.dtsMs).toBeLessThan(endOf(laterMs));
    expect(heard.filter(({ dtsMs }) => dtsMs < laterMs - 1000).at(-1)?.dtsMs).toBeGreaterThan(endOf(startMs) - 110);
    await until(() => childrenNamed('ffmpeg').length === 1, 'the first child is gone');
  });

  it('restarts when the clock goes back', async () => {
    const heard: MediaFrame[] = [];
    const conversion = convert(sourceOf(opus), (frame) => heard.push(frame));
    await until(() => conversion.pid !== undefined, 'started');
    for (const frame of at(opus.frames, 50_000)) conversion.feed(frame);
    await until(() => heard.length > 20, 'sound');
    for (const frame of at(opus.frames, 10_000)) conversion.feed(frame);
    await until(() => heard.some(({ dtsMs }) => dtsMs > 10_500 && dtsMs < 11_000), 'sound of the new time');
  });

  it('does not convert codecs that MPEG-TS cannot carry, and gives the reason', async () => {
    // AAC-ELD, which has no ADTS header.
    const record = Buffer.from(writeAudioSpecificConfig({ objectType: 23, sampleRate: 48_000, channels: 2 }));
    const source: AudioConfig = { ...sourceOf(opus), codec: 'aac', record };
    const conversion = convert(source, () => undefined);
    await until(() => conversion.failure !== '', 'refused');
    expect(conversion.failure).toMatch(/^this aac cannot be converted: /);
    for (const frame of opus.frames) conversion.feed(frame);
  });

  it('loses no audio to a child that starts slowly, nor to one that has not begun when its source ends', async () => {
    const slow = program('slow', 'sleep 1; exec ffmpeg "$@"');
    for (const isLeft of [false, true]) {
      const heard: MediaFrame[] = [];
      const conversion = convert(sourceOf(opus), (frame) => heard.push(frame), slow);
      await until(() => conversion.pid !== undefined, 'started');
      const twoSeconds = [...at(opus.frames, 0), ...at(opus.frames, 1000)];
      for (const frame of twoSeconds) conversion.feed(frame);
      if (isLeft) await conversion.drain();
      await until(() => (heard.at(-1)?.dtsMs ?? 0) > 1900, 'the last of it');
      // 21.3 ms each, from the one that encoders put in front of the first.
      expect(heard.length).toBeGreaterThanOrEqual(90);
      expect(heard[0]?.dtsMs).toBeCloseTo(-1024 / 48, 1);
      const steps = heard.slice(1).map(({ dtsMs }, index) => dtsMs - (heard[index]?.dtsMs ?? 0));
      expect(Math.max(...steps)).toBeLessThan(22);
    }
  });

  it('survives a child that writes invalid output', async () => {
    const heard: MediaFrame[] = [];
    // A tenth of these random bytes would look like packets to the end in one of sixty runs.
    const nonsense = program('nonsense', 'head -c 3000000 /dev/urandom; exec cat > /dev/null');
    const conversion = convert(sourceOf(opus), (frame) => heard.push(frame), nonsense);
    await until(() => conversion.failure !== '', 'given up');
    expect(heard).toEqual([]);
  });
});

describe('Transcoder', () => {
  it('F08: drops frames for a child that does not read', async () => {
    const deaf = program('deaf', 'exec sleep 60');
    const source = sourceOf(opus);
    const ignore = () => undefined;
    const told = { onConfig: ignore, onFrame: ignore, onEnd: ignore, onFault: ignore };
    const options = { ffmpeg: deaf, args: [], source, ...told };
    const transcoder = new Transcoder(options);
    let taken = 0;
    for (let round = 0; round < 100; round++) {
      for (const frame of at(opus.frames, round * 1000)) taken += transcoder.feed(frame) ? 1 : 0;
    }
    // Six seconds of sound, and no more.
    expect(taken).toBe(300);
    transcoder.kill();
    await transcoder.ended;
    expect(transcoder.feed(opus.frames[0] as MediaFrame)).toBe(false);
  });

  it('gives a child nothing more once what it has would come out too late', async () => {
    const deaf = program('deaf', 'exec sleep 60');
    const ignore = () => undefined;
    const told = { onConfig: ignore, onFrame: ignore, onEnd: ignore, onFault: ignore };
    const transcoder = new Transcoder({ ffmpeg: deaf, args: [], source: sourceOf(opus), mostMsInside: 200, ...told });
    expect(opus.frames.slice(0, 30).every((frame) => transcoder.feed(frame))).toBe(true);
    expect(transcoder.isBehind).toBe(false);
    await sleep(250);
    expect(transcoder.feed(opus.frames[30] as MediaFrame)).toBe(false);
    expect(transcoder.isBehind).toBe(true);
    transcoder.kill();
    await transcoder.ended;
  });
});
