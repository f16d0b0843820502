import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallerLedger } from './caller-ledger.ts';

const megabytes = 1024 * 1024;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Number of admitted callers, each at its address. */
const entered = (ledger: CallerLedger, count: number, window: number, addressOf: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => ledger.enter(addressOf(n), window, 'publish')).filter(Boolean).length;

describe('CallerLedger', () => {
  it('limits the total of the claimed windows, and one network to half of it', () => {
    const ledger = new CallerLedger(100 * megabytes);
    expect(entered(ledger, 1000, 131_072, () => '192.0.2.1')).toBe(15);
    expect(entered(ledger, 1000, 131_072, (n) => `2001:db8::${n}`)).toBe(15);
    expect(ledger.bytes).toBeLessThanOrEqual(100 * megabytes);
    expect(entered(new CallerLedger(100 * megabytes), 1000, 8192, () => '192.0.2.1')).toBe(130);
  });

  it('counts accepted callers with the largest claim until they connect', () => {
    const ledger = new CallerLedger(100 * megabytes);
    const letIn = Array.from({ length: 100 }, () => ledger.expect('192.0.2.1', 'publish')).filter(Boolean).length;
    expect(letIn).toBe(15);
    ledger.dropExpected();
    expect(ledger.bytes).toBe(0);
    expect(ledger.expect('192.0.2.1', 'publish')).toBe(true);
  });

  it('releases the memory some time after a connection was closed', () => {
    const ledger = new CallerLedger(100 * megabytes);
    const account = ledger.enter('192.0.2.1', 8192, 'publish');
    account?.leave();
    expect(ledger.bytes).toBeGreaterThan(0);
    vi.advanceTimersByTime(10_000);
    expect(ledger.bytes).toBe(0);
  });

  it('limits players that acknowledge nothing more strictly, and releases their share when they do', () => {
    const ledger = new CallerLedger(1024 * megabytes);
    const accounts = Array.from({ length: 400 }, () => ledger.enter('192.0.2.1', 8192, 'play'));
    const entered = accounts.filter((account) => account !== undefined);
    expect(entered.length).toBe(143);
    expect(ledger.expect('192.0.2.1', 'play')).toBe(false);
    expect(ledger.expect('192.0.2.1', 'publish')).toBe(true);
    expect(ledger.enter('198.51.100.1', 8192, 'play')).toBeDefined();
    for (const account of entered) account.resume();
    expect(ledger.enter('192.0.2.1', 8192, 'play')).toBeDefined();
    expect(entered.map((account) => account.stall()).filter((isKept) => !isKept).length).toBe(1);
  });

  it('counts the growing send buffer of a player, and releases all of it', () => {
    const ledger = new CallerLedger(10 * megabytes);
    const account = ledger.enter('192.0.2.1', 8192, 'play');
    const before = ledger.bytes;
    expect(account?.grow(megabytes)).toBe(true);
    expect(ledger.bytes).toBe(before + megabytes);
    expect(account?.grow(4 * megabytes)).toBe(false);
    account?.leave();
    vi.advanceTimersByTime(10_000);
    expect(ledger.bytes).toBe(0);
  });

  it('limits the growth of the send buffers of one network', () => {
    const ledger = new CallerLedger(1024 * megabytes);
    const grown = (address: string) => {
      const account = ledger.enter(address, 8192, 'play');
      return Array.from({ length: 100 }, () => account?.grow(megabytes)).filter(Boolean).length;
    };
    expect(grown('192.0.2.1')).toBe(32);
    expect(grown('192.0.2.1')).toBe(0);
    expect(grown('198.51.100.1')).toBe(32);
  });
});
