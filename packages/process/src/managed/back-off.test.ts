import { describe, expect, it } from 'vitest';
import { BackOff } from './back-off.ts';

const options = { firstMs: 100, mostMs: 1000, healthyMs: 5000, random: () => 0.5 };

describe('BackOff', () => {
  it('waits longer after each failure in a row, up to a limit', () => {
    const backOff = new BackOff(options);
    expect([1, 2, 3, 4, 5, 6].map(() => Math.round(backOff.next(10)))).toEqual([100, 200, 400, 800, 1000, 1000]);
    expect(backOff.failures).toBe(6);
  });

  it('keeps the first delays below a lower limit where that is set', () => {
    const soon = { failures: 8, mostMs: 1000 };
    const backOff = new BackOff({ firstMs: 200, mostMs: 10_000, healthyMs: 30_000, soon, random: () => 0.5 });
    const delays = Array.from({ length: 13 }, () => Math.round(backOff.next(0)));
    expect(delays).toEqual([200, 400, 800, ...Array(5).fill(1000), 2000, 4000, 8000, 10_000, 10_000]);
  });

  it('restarts at the shortest delay after a good run', () => {
    const backOff = new BackOff(options);
    for (let n = 0; n < 5; n++) backOff.next(10);
    expect(Math.round(backOff.next(6000))).toBe(100);
    expect(backOff.failures).toBe(1);
  });

  it('spreads the restarts of children that failed together', () => {
    const waits = [0, 0.25, 0.999].map((value) => new BackOff({ ...options, random: () => value }).next(0));
    expect(waits.map(Math.round)).toEqual([80, 90, 120]);
  });

  it('does not overflow', () => {
    const backOff = new BackOff(options);
    for (let n = 0; n < 5000; n++) backOff.next(0);
    expect(backOff.next(0)).toBeCloseTo(1000);
  });
});
