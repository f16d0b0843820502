import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallerLedger } from './caller-ledger.ts';

const megabytes = 1024 * 1024;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How many of these are let in, each at its address. */
const entered = (ledger: CallerLedger, count: number, window: number, addressOf: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => ledger.enter(addressOf(n), window)).filter(Boolean).length;

describe('what callers cost', () => {
  it('is bounded by what they claim, and one network has half of it at most', () => {
    const ledger = new CallerLedger(100 * megabytes);
    expect(entered(ledger, 1000, 131_072, () => '192.0.2.1')).toBe(15);
    expect(entered(ledger, 1000, 131_072, (n) => `2001:db8::${n}`)).toBe(15);
    expect(ledger.bytes).toBeLessThanOrEqual(100 * megabytes);
    expect(entered(new CallerLedger(100 * megabytes), 1000, 8192, () => '192.0.2.1')).toBe(130);
  });

  it('counts those who were let in as if they claimed the most, until they come', () => {
    const ledger = new CallerLedger(100 * megabytes);
    const letIn = Array.from({ length: 100 }, () => ledger.expect('192.0.2.1')).filter(Boolean).length;
    expect(letIn).toBe(15);
    ledger.forgetExpected();
    expect(ledger.bytes).toBe(0);
    expect(ledger.expect('192.0.2.1')).toBe(true);
  });

  it('is given back some time after a connection was closed', () => {
    const ledger = new CallerLedger(100 * megabytes);
    const leave = ledger.enter('192.0.2.1', 8192);
    leave?.();
    expect(ledger.bytes).toBeGreaterThan(0);
    vi.advanceTimersByTime(10_000);
    expect(ledger.bytes).toBe(0);
  });
});
