import { describe, expect, test } from 'vitest';
import { FrameBudget } from './frame-budget.ts';

describe('FrameBudget', () => {
  test('lets everything pass that requests, bodies and downloads need', () => {
    const budget = new FrameBudget(0);
    let read = 0;
    for (let second = 1; second <= 600; second++) {
      // A long header, an upload, and the windows of a client that moves them for every 4 KB.
      budget.received(8192 + 1_000_000);
      budget.sent(12_500_000);
      read += 8192 + 1_000_000 + (12_500_000 / 4096) * 26;
      expect(budget.pass(read, second * 1000, () => 0)).toBe(true);
    }
  });

  test('is used up by bytes that are of no use, faster than they come, and not by those that still wait to be read', () => {
    const budget = new FrameBudget(0);
    expect(budget.pass(100_000, 100, () => 0)).toBe(true);
    expect(budget.pass(300_000, 200, () => 256_000)).toBe(true);
    expect(budget.pass(300_000, 300, () => 0)).toBe(false);
    expect(budget.pass(300_000, 60_000, () => 0)).toBe(true);
  });
});
