import { expect, it, vi } from 'vitest';
import { LogRateLimiter } from './log-rate-limiter.ts';

const limits = { each: 2, all: 5, windowMs: 1000 };

function at() {
  const clock = { ms: 0 };
  return { clock, repeats: new LogRateLimiter(limits, { now: () => clock.ms }) };
}

it('logs the first message of a kind, then how many it suppressed', () => {
  const { clock, repeats } = at();
  expect(Array.from({ length: 5 }, () => repeats.pass('a'))).toEqual([0, 0, undefined, undefined, undefined]);
  expect(repeats.pass('b')).toBe(0);
  clock.ms = 1000;
  expect(repeats.pass('a')).toBe(3);
  expect(repeats.pass('a')).toBe(0);
});

it('logs no more of many kinds than of one', () => {
  const { clock, repeats } = at();
  const passed = Array.from({ length: 100 }, (_, n) => repeats.pass(String(n)));
  expect(passed.filter((hidden) => hidden !== undefined)).toHaveLength(5);
  clock.ms = 1000;
  expect(repeats.pass('99')).toBe(1);
});

it('remembers a bounded number of kinds', () => {
  const repeats = new LogRateLimiter({ each: 1, all: 1_000_000, windowMs: 1000 }, { now: () => 0 });
  for (let n = 0; n < 5000; n++) repeats.pass(String(n));
  // The first is long forgotten, the last is not.
  expect(repeats.pass('0')).toBe(0);
  expect(repeats.pass('4999')).toBeUndefined();
});

it('logs the number of suppressed messages at the end when no other message follows', () => {
  vi.useFakeTimers();
  try {
    const told: number[] = [];
    const repeats = new LogRateLimiter(limits, { now: () => 0, onQuiet: (hidden) => told.push(hidden) });
    for (let n = 0; n < 10; n++) repeats.pass('a');
    vi.advanceTimersByTime(1000);
    expect(told).toEqual([8]);
    vi.advanceTimersByTime(5000);
    expect(told).toEqual([8]);
  } finally {
    vi.useRealTimers();
  }
});
