import { describe, expect, it } from 'vitest';
import { CheckedStream, every } from '../checked-stream.fixture.ts';

const groupMs = 10_000;

/** Segments of a low-latency playlist: whether each begins with a keyframe, and how long it is. */
function segmentsOf(text: string): { isIndependent: boolean; seconds: number }[] {
  return text
    .split('#EXT-X-PROGRAM-DATE-TIME')
    .slice(1)
    .flatMap((lines) => {
      const seconds = /#EXTINF:([\d.]+)/.exec(lines)?.[1];
      const first = /#EXT-X-PART:[^\n]*/.exec(lines)?.[0] ?? '';
      return seconds ? [{ isIndependent: first.includes('INDEPENDENT=YES'), seconds: Number(seconds) }] : [];
    });
}

/** Starts low latency so long after a keyframe of a stream with long groups, and returns its segments. */
async function startAt(offsetMs: number): Promise<{ isIndependent: boolean; seconds: number }[]> {
  const checked = await CheckedStream.open();
  const isKeyframe = every(groupMs);
  checked.isWatched = false;
  const beforeMs = 3 * groupMs + offsetMs;
  checked.play({ seconds: beforeMs / 1000, isKeyframe });
  checked.isWatched = true;
  checked.play({ seconds: 12, isKeyframe: (ms) => isKeyframe(beforeMs + ms) });
  expect(checked.faults).toEqual([]);
  return segmentsOf(checked.lowTexts.at(-1) ?? '');
}

describe('low-latency HLS that starts in the middle of a long group of pictures', () => {
  it.each([9520, 9680, 9840, 9960])(
    'waits for a keyframe that comes soon, %i ms after the last one',
    async (offsetMs) => {
      const segments = await startAt(offsetMs);
      expect(segments.map(({ isIndependent }) => isIndependent)).toEqual(segments.map(() => true));
      expect(segments[0]?.seconds).toBeCloseTo(10, 1);
    },
  );

  it.each([1400, 2000, 4000, 7000, 9000])(
    'does not wait for a keyframe that is far away, %i ms after the last one',
    async (offsetMs) => {
      const [first, second, third] = await startAt(offsetMs);
      expect(first?.isIndependent).toBe(true);
      expect(first?.seconds).toBeCloseTo(offsetMs / 1000, 0);
      expect(second?.isIndependent).toBe(false);
      // The second segment ends where the next group begins.
      expect((first?.seconds ?? 0) + (second?.seconds ?? 0)).toBeCloseTo(groupMs / 1000, 1);
      expect(third?.isIndependent ?? true).toBe(true);
    },
  );

  it('never makes a segment of audio alone while there is video', async () => {
    for (let offsetMs = 1320; offsetMs < groupMs; offsetMs += 440) {
      const segments = await startAt(offsetMs);
      for (const { seconds } of segments) expect([offsetMs, seconds > 0.2]).toEqual([offsetMs, true]);
    }
  });
});
