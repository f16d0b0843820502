import { expect, it } from 'vitest';
import { KeyframesOnlyDetector } from './keyframes-only-detector.ts';

it('reports keyframes only after two seconds without other frames', () => {
  const judge = new KeyframesOnlyDetector();
  const next = (atMs: number, frames: number, keyframes: number) => judge.update({ atMs, frames, keyframes });
  expect([next(0, 25, 1), next(1000, 50, 2)]).toEqual([false, false]);
  expect([next(2000, 51, 3), next(3000, 52, 4), next(4000, 52, 4)]).toEqual([false, true, true]);
  expect([next(5000, 60, 5), next(6000, 85, 6)]).toEqual([false, false]);
});

it('ignores streams that are still or consist of keyframes', () => {
  const still = new KeyframesOnlyDetector();
  const all = new KeyframesOnlyDetector();
  for (let second = 0; second < 10; second++) {
    expect(still.update({ atMs: second * 1000, frames: 25, keyframes: 1 })).toBe(false);
    expect(all.update({ atMs: second * 1000, frames: second, keyframes: second })).toBe(false);
  }
});
