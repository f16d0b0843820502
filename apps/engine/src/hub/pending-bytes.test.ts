import { expect, it } from 'vitest';
import { PendingBytes } from './pending-bytes.ts';

const limits = { all: 1000, ofNetwork: 400, small: 10 };

it('counts by network, an IPv6 /64 as one', () => {
  const pending = new PendingBytes(limits);
  expect(pending.account('2001:db8::1').set(300)).toBe(true);
  expect(pending.account('2001:db8::2').set(101)).toBe(false);
  expect(pending.account('2001:db8:0:1::1').set(300)).toBe(true);
});

it('counts the total, and accepts clients that hold little', () => {
  const pending = new PendingBytes(limits);
  const held = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => pending.account(address));
  expect(held.map((account) => account.set(333))).toEqual([true, true, true]);
  const another = pending.account('192.0.2.4');
  expect(another.set(10)).toBe(true);
  expect(another.set(11)).toBe(false);
  expect(another.set(0)).toBe(true);
  held[0]?.set(0);
  expect(another.set(300)).toBe(true);
  expect(pending.total).toBe(966);
});

it('keeps no record of clients that hold nothing', () => {
  const pending = new PendingBytes(limits);
  const account = pending.account('192.0.2.1');
  for (const bytes of [400, 0, 400, 0]) expect(account.set(bytes)).toBe(true);
  expect(pending.total).toBe(0);
});
