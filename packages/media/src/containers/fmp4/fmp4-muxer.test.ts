import { describe, expect, it } from 'vitest';
import type { MediaFrame } from '../../frame.ts';
import {
  type Clip,
  clipArgs,
  clipOf,
  differencesOf,
  encodeTs,
  probe,
  testPicture,
  testTone,
  x264,
} from '../mpegts/clip.fixture.ts';
import { Fmp4Muxer, type NextFrames } from './fmp4-muxer.ts';

const framesPerPart = 13;

function nextOf(frames: readonly MediaFrame[], from: number): NextFrames {
  const rest = frames.slice(from);
  return {
    videoDtsMs: rest.find(({ kind }) => kind === 'video')?.dtsMs,
    audioDtsMs: rest.find(({ kind }) => kind === 'audio')?.dtsMs,
  };
}

/** Many small fragments behind one init segment, as a player of LL-HLS appends them. */
function mux({ video, audio, frames }: Clip, isNextKnown = true): Buffer {
  const muxer = new Fmp4Muxer({ video, audio });
  const parts = [muxer.initSegment()];
  for (let at = 0; at < frames.length; at += framesPerPart) {
    const next = isNextKnown ? nextOf(frames, at + framesPerPart) : {};
    parts.push(muxer.fragments(frames.slice(at, at + framesPerPart), next));
  }
  return Buffer.concat(parts);
}

/** Decode time and durations of each fragment of a track, read from the boxes. */
function runsOf(fragment: Buffer, track: number): { start: number; durations: number[] }[] {
  const runs: { start: number; durations: number[] }[] = [];
  for (let at = fragment.indexOf('tfhd'); at >= 0; at = fragment.indexOf('tfhd', at + 4)) {
    if (fragment.readUInt32BE(at + 8) !== track) continue;
    const trun = at + 12 + 20 + 4;
    const sampleBytes = (fragment.readUInt32BE(trun + 4) & 0x400) !== 0 ? 16 : 8;
    const durations: number[] = [];
    for (let index = 0; index < fragment.readUInt32BE(trun + 8); index++) {
      durations.push(fragment.readUInt32BE(trun + 16 + index * sampleBytes));
    }
    runs.push({ start: Number(fragment.readBigUInt64BE(at + 12 + 12)), durations });
  }
  return runs;
}

describe('Fmp4Muxer', () => {
  it.each(Object.entries(clipArgs))('writes %s so that ffmpeg reads the same back', (_, args) => {
    const clip = clipOf(encodeTs(...args));
    expect(differencesOf(clip, probe(mux(clip), 'mp4'))).toEqual([]);
  });

  const clip = clipOf(encodeTs(...testPicture, ...testTone, ...x264, '-c:a', 'aac'));

  it('plays the same when the following frames are not known yet', () => {
    expect(differencesOf(clip, probe(mux(clip, false), 'mp4'))).toEqual([]);
  });

  it('leaves no gap in audio whose timestamps were rounded to milliseconds', () => {
    const frames = clip.frames.filter(({ kind }) => kind === 'audio');
    const rounded = frames.map((frame) => ({
      ...frame,
      dtsMs: Math.floor(frame.dtsMs),
      ptsMs: Math.floor(frame.ptsMs),
    }));
    const muxer = new Fmp4Muxer({ audio: clip.audio });
    let expected: number | undefined;
    for (let at = 0; at < rounded.length; at += 9) {
      const [run] = runsOf(muxer.fragments(rounded.slice(at, at + 9), nextOf(rounded, at + 9)), 2);
      if (expected !== undefined) expect(run?.start).toBe(expected);
      expect(new Set(run?.durations)).toEqual(new Set([1024]));
      expected = (run?.start ?? 0) + 1024 * (run?.durations.length ?? 0);
    }
  });

  it('follows the timestamps again after audio was really missing', () => {
    const frames = clip.frames.filter(({ kind }) => kind === 'audio').slice(0, 4);
    const late = frames.map((frame, index) => ({ ...frame, dtsMs: index < 2 ? index * 23.22 : 500 + index * 23.22 }));
    const [run] = runsOf(new Fmp4Muxer({ audio: clip.audio }).fragments(late), 2);
    const [first, gap, ...after] = run?.durations ?? [];
    expect([run?.start, first, ...after]).toEqual([0, 1024, 1024, 1024]);
    expect(gap).toBeCloseTo(1024 + 22_050, -1);
  });

  it('starts each fragment where the previous one ended, in 64 bits', () => {
    const pictures = clip.frames.filter(({ kind }) => kind === 'video');
    const dayMs = 86_400_000 * 40;
    const muxer = new Fmp4Muxer({ video: clip.video });
    const late = pictures.map((frame, index) => ({
      ...frame,
      dtsMs: dayMs + (index * 1000) / 29.97,
      ptsMs: dayMs + (index * 1000) / 29.97,
    }));
    let end: number | undefined;
    for (let at = 0; at < late.length; at += 7) {
      const [run] = runsOf(muxer.fragments(late.slice(at, at + 7), nextOf(late, at + 7)), 1);
      if (end !== undefined) expect(run?.start).toBe(end);
      end = (run?.start ?? 0) + (run?.durations ?? []).reduce((sum, ticks) => sum + ticks, 0);
    }
    expect(end).toBeGreaterThan(2 ** 32);
  });

  it('does not use a pause as the duration of a frame', () => {
    const [first, ...rest] = clip.frames.filter(({ kind }) => kind === 'video');
    if (!first) throw new Error('the test clip has no video');
    const muxer = new Fmp4Muxer({ video: clip.video });
    muxer.fragments([first], { videoDtsMs: first.dtsMs + 20_000 });
    const [run] = runsOf(muxer.fragments(rest.slice(0, 1)), 1);
    expect(run?.durations).toEqual([3000]);
  });

  it('keeps audio within a second of its video in a long segment, so that readers that cannot seek see one timeline', () => {
    const [picture] = clip.frames.filter(({ kind }) => kind === 'video');
    const [sound] = clip.frames.filter(({ kind }) => kind === 'audio');
    if (!picture || !sound) throw new Error('the test clip lacks a track');
    const frameMs = (1000 * 1024) / (clip.audio?.sampleRate ?? 0);
    const at = (frame: MediaFrame, ms: number, arrivalMs: number) => ({ ...frame, dtsMs: ms, ptsMs: ms, arrivalMs });
    // Audio of the same time comes half a second after its video.
    const frames = [
      ...Array.from({ length: 300 }, (_, n) => at(picture, n * 40, n * 40)),
      ...Array.from({ length: 480 }, (_, n) => at(sound, n * frameMs, n * frameMs + 500)),
    ].sort((a, b) => a.arrivalMs - b.arrivalMs);
    const segment = new Fmp4Muxer({ video: clip.video, audio: clip.audio, firstSequence: 7 }).fragments(frames);
    const secondsOf = (track: number, timescale: number) =>
      runsOf(segment, track).map(({ start }) => Math.round((10 * start) / timescale) / 10);
    expect(secondsOf(1, 90_000)).toEqual(Array.from({ length: 12 }, (_, n) => n));
    expect(secondsOf(2, clip.audio?.sampleRate ?? 0)).toEqual([0, ...Array.from({ length: 11 }, (_, n) => n + 0.5)]);
    const numbers = [...segment.toString('latin1').matchAll(/mfhd/g)].map(({ index }) =>
      segment.readUInt32BE(index + 8),
    );
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, n) => n + 7));
  });

  it('writes nothing for frames of an unknown track', () => {
    expect(
      new Fmp4Muxer({ audio: clip.audio }).fragments(clip.frames.filter(({ kind }) => kind === 'video')),
    ).toHaveLength(0);
  });
});
