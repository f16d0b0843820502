import { describe, expect, it } from 'vitest';
import { frameAt } from '../hls-source.fixture.ts';
import { PartCutter } from './part-cutter.ts';

/** Lengths of the parts that media of this rate falls into. */
function lengths(frames: readonly ReturnType<typeof frameAt>[]): number[] {
  const cutter = new PartCutter(334);
  const found: number[] = [];
  let startMs = frames[0]?.dtsMs ?? 0;
  for (const [index, frame] of frames.entries()) {
    const isDue = cutter.isDue(frame);
    if (index > 0 && isDue) found.push(frame.dtsMs - startMs);
    if (index > 0 && !isDue) continue;
    cutter.begin(frame);
    startMs = frame.dtsMs;
  }
  return found;
}

describe('PartCutter', () => {
  it.each([10, 12, 15, 20, 23.976, 24, 25, 29.97, 30, 50, 59.94, 60])(
    'keeps the part durations that Apple requires at %d frames a second',
    (fps) => {
      const frames = Array.from({ length: 300 }, (_, index) => frameAt(Math.round((index * 1000) / fps), 'video'));
      const found = lengths(frames).slice(1);
      expect(found.length).toBeGreaterThan(10);
      for (const ms of found) {
        expect(ms).toBeLessThanOrEqual(334);
        // rfc8216bis, 4.4.4.9: at least 85 % of the target.
        expect(ms).toBeGreaterThanOrEqual(0.85 * 334);
      }
    },
  );

  it('cuts audio without video', () => {
    const found = lengths(Array.from({ length: 300 }, (_, index) => frameAt((index * 1024) / 48, 'audio')));
    for (const ms of found) expect(ms).toBeCloseTo(320, 5);
  });

  it('cuts by audio when video frames are rare', () => {
    const frames = Array.from({ length: 500 }, (_, index) => index * 20).flatMap((ms) =>
      ms % 1000 === 0 ? [frameAt(ms, 'video', true), frameAt(ms, 'audio')] : [frameAt(ms, 'audio')],
    );
    for (const ms of lengths(frames).slice(4)) expect(ms).toBeLessThanOrEqual(334);
  });
});
