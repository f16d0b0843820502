import { describe, expect, it } from 'vitest';
import { BFrameDetector } from './b-frame-detector.ts';
import { picture, videoConfig } from './frames.fixture.ts';

/** Decoded every 40 ms, shown at these times. */
function verdicts(shownMs: readonly number[], order = new BFrameDetector()): boolean[] {
  return shownMs.map((ptsMs, index) => {
    order.observe({ ...picture(index * 40), ptsMs });
    return order.isReordered;
  });
}

describe('BFrameDetector', () => {
  it('detects B-frames at the first frame that is shown before an earlier one', () => {
    expect(verdicts([80, 200, 120, 160, 320])).toEqual([false, false, true, true, true]);
  });

  it('does not report B-frames when all frames have the same delay', () => {
    expect(verdicts([80, 120, 160, 200]).some(Boolean)).toBe(false);
    expect(verdicts([0, 40, 80, 120]).some(Boolean)).toBe(false);
  });

  it('keeps its result until the encoder changes', () => {
    const order = new BFrameDetector();
    order.begin(videoConfig);
    verdicts([80, 200, 120], order);
    order.seam();
    expect(verdicts([1000, 1040, 1080], order)).toEqual([true, true, true]);
    order.begin(videoConfig);
    expect(verdicts([2000, 2040, 2080], order)).toEqual([false, false, false]);
  });

  it('does not mistake a new publisher with earlier timestamps for B-frames', () => {
    const order = new BFrameDetector();
    verdicts([5000, 5040], order);
    order.seam();
    expect(verdicts([0, 40, 80], order).some(Boolean)).toBe(false);
  });
});
