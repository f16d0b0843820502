import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallerFlood } from './caller-flood.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('CallerFlood', () => {
  it('blocks the network of a flood for a while, and no other', () => {
    const blocked: (readonly string[])[] = [];
    const flood = new CallerFlood((addresses) => blocked.push(addresses));
    for (let n = 0; n < 5000; n++) flood.note(`2001:db8::${n.toString(16)}`, 0);
    for (let n = 0; n < 900; n++) flood.note('192.0.2.1', 100);
    expect(blocked).toEqual([['2001:db8::3e8']]);
    vi.advanceTimersByTime(20_000);
    expect(blocked.at(-1)).toEqual([]);
  });

  it('does not block the same number of calls spread over time', () => {
    const blocked: unknown[] = [];
    const flood = new CallerFlood((addresses) => blocked.push(addresses));
    for (let n = 0; n < 5000; n++) flood.note('192.0.2.1', n * 5);
    expect(blocked).toEqual([]);
  });

  it('counts a limited number of networks, because source addresses can be forged', () => {
    const blocked: (readonly string[])[] = [];
    const flood = new CallerFlood((addresses) => blocked.push(addresses));
    for (let n = 0; n < 900; n++) flood.note('192.0.2.1', 0);
    for (let n = 0; n < 50_000; n++) flood.note(`2001:db8:${(n >> 8).toString(16)}:${(n & 255).toString(16)}::1`, 0);
    expect(flood.networks).toBe(10_000);
    for (let n = 0; n < 101; n++) flood.note('192.0.2.1', 1);
    expect(blocked).toEqual([['192.0.2.1']]);
  });
});
