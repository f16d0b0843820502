import type { MediaFrame } from '@weir/media';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { audioConfig, picture, sound } from '../frames.fixture.ts';
import { audioFrameMs, Splice } from './splice.ts';

const intervalMs = 40;

/** Sends pictures of an input until the clock of the program stands at `ms`. */
function sentUntil(ms: number): Splice {
  const splice = new Splice();
  splice.cut({ keyframe: picture(0, true), offsetMs: 0, intervalMs });
  for (let at = 0; at <= ms; at += intervalMs) splice.video(picture(at));
  return splice;
}

/** A group in decode order, with B-frames where pictures are shown later than they are decoded. */
const anyGroup = fc
  .record({
    start: fc.integer({ min: 0, max: 1_000_000 }),
    count: fc.integer({ min: 1, max: 60 }),
    interval: fc.constantFrom(16.667, 33.333, 40, 100),
    reorder: fc.boolean(),
  })
  .map(({ start, count, interval, reorder }) =>
    Array.from({ length: count }, (_, index): MediaFrame => {
      const dtsMs = start + index * interval;
      const delay = reorder ? ([2, 4, 1, 1][index % 4] ?? 1) : 0;
      return { ...picture(dtsMs, index === 0), ptsMs: dtsMs + delay * interval };
    }),
  );

describe('a cut to a cached group', () => {
  it('keeps decode times rising, shown times after them and in their order, and ends where pictures belong', () => {
    fc.assert(
      fc.property(anyGroup, fc.integer({ min: 0, max: 5000 }), (group, lateMs) => {
        const splice = sentUntil(10_000);
        const before = splice.lastVideoMs;
        const shown = splice.highestPtsMs;
        const [keyframe] = group;
        if (!keyframe) return;
        const offsetMs = 10_000 - lateMs - keyframe.dtsMs;
        splice.cut({ keyframe, offsetMs, intervalMs: 40 });
        const placed = group.map((frame) => splice.video(frame) as MediaFrame);
        let last = before;
        for (const [index, frame] of placed.entries()) {
          const raw = group[index] as MediaFrame;
          expect(frame.dtsMs).toBeGreaterThan(last);
          expect(frame.ptsMs).toBeGreaterThanOrEqual(frame.dtsMs);
          expect(frame.dtsMs).toBeGreaterThanOrEqual(raw.dtsMs + offsetMs - 0.001);
          last = frame.dtsMs;
        }
        expect(placed[0]?.ptsMs).toBeGreaterThan(shown);
        const order = (frames: readonly MediaFrame[]) =>
          frames.map(({ ptsMs }, index) => ({ ptsMs, index })).sort((a, b) => a.ptsMs - b.ptsMs || a.index - b.index);
        expect(order(placed).map(({ index }) => index)).toEqual(order(group).map(({ index }) => index));
      }),
    );
  });

  it('presses what is late into milliseconds and leaves later pictures where they belong', () => {
    const splice = sentUntil(2000);
    splice.cut({ keyframe: picture(0, true), offsetMs: 1000, intervalMs });
    const placed = Array.from({ length: 50 }, (_, index) => splice.video(picture(index * 40, index === 0))?.dtsMs ?? 0);
    expect(placed[0]).toBe(2001);
    expect(placed[1]).toBe(2002);
    expect(placed[49]).toBe(1000 + 49 * 40);
    expect(splice.pressed).toBe(26);
  });

  it('drops pictures of before the keyframe', () => {
    const splice = new Splice();
    splice.cut({ keyframe: picture(400, true), offsetMs: 0, intervalMs });
    expect([splice.video(picture(360)), splice.video(picture(400, true))?.dtsMs]).toEqual([undefined, 400]);
  });
});

describe('audio at a cut', () => {
  const lengthMs = audioFrameMs(audioConfig);

  it('is joined within half a frame, and never moved', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 30, noNaN: true }), (shiftMs) => {
        const splice = new Splice();
        splice.cut({ keyframe: picture(0, true), offsetMs: 0, intervalMs });
        for (let frame = 0; frame < 40; frame++) splice.audio(sound(frame * lengthMs), lengthMs);
        const endMs = splice.audioEndMs;
        splice.cut({ keyframe: picture(5000, true), offsetMs: shiftMs - 5000 + endMs - 500, intervalMs });
        const offsetMs = splice.offsetMs;
        const joined = Array.from({ length: 80 }, (_, frame) => sound(4800 + frame * lengthMs)).flatMap((frame) => {
          const placed = splice.audio(frame, lengthMs);
          return placed ? [{ placed, raw: frame }] : [];
        });
        const first = joined[0];
        expect(Math.abs((first?.placed.dtsMs ?? 0) - endMs)).toBeLessThanOrEqual(lengthMs / 2 + 0.001);
        for (const { placed, raw } of joined) expect(placed.dtsMs).toBe(raw.dtsMs + offsetMs);
      }),
    );
  });

  it('of before the first picture of a program is left out', () => {
    const splice = new Splice();
    splice.cut({ keyframe: picture(1000, true), offsetMs: 0, intervalMs });
    expect(splice.audio(sound(900), lengthMs)).toBeUndefined();
    expect(splice.audio(sound(1000), lengthMs)?.dtsMs).toBe(1000);
  });

  it('that is filled in begins where the last ended', () => {
    const splice = new Splice();
    splice.cut({ keyframe: picture(0, true), offsetMs: 0, intervalMs });
    const times = Array.from({ length: 100_000 }, () => splice.filledAudio(lengthMs));
    expect(times[0]).toBe(0);
    expect(times.at(-1)).toBeCloseTo(99_999 * lengthMs, 0);
  });
});

it.each([
  [{ codec: 'aac', sampleRate: 48_000, record: Buffer.from('1190', 'hex') }, 21.33],
  [{ codec: 'aac', sampleRate: 44_100, record: Buffer.from('1210', 'hex') }, 23.22],
  [{ codec: 'mp3', sampleRate: 44_100, record: Buffer.alloc(0) }, 26.12],
  [{ codec: 'opus', sampleRate: 48_000, record: Buffer.alloc(0) }, 20],
] as const)('a frame of %o lasts %f ms', (config, ms) => {
  expect(audioFrameMs(config)).toBeCloseTo(ms, 1);
});
