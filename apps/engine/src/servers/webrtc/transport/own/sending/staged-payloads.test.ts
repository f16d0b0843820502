import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Arena } from '../native/arena.ts';
import { StagedPayloads, stagedBytes } from './staged-payloads.ts';

function open() {
  const arena = new Arena({ bytes: Buffer.alloc(stagedBytes + 4096), address: 2 ** 30 });
  const payloads = new StagedPayloads(arena, arena.region(stagedBytes));
  const read = (payload: Buffer) => {
    const at = payloads.place(payload);
    return arena.bytes.subarray(at, at + payload.length);
  };
  return { arena, payloads, read };
}

it('finds every payload at its address, whatever the order and the number of others', () => {
  const { arena, payloads, read } = open();
  const all = Array.from({ length: 200 }, (_, index) => randomBytes(index === 7 ? 2048 : index * 3));
  for (const payload of [...all, ...all.slice(20).reverse(), ...all]) expect(read(payload).equals(payload)).toBe(true);
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = all.slice(-2);
  const [firstAt, secondAt] = [payloads.place(first), payloads.place(second)];
  // Another viewer gets them from the same place.
  expect([payloads.place(first), payloads.place(second)]).toEqual([firstAt, secondAt]);
  expect(arena.isIntact).toBe(true);
});

it('refuses a payload longer than a datagram, and distinguishes equal payloads', () => {
  const { arena, payloads, read } = open();
  const payload = randomBytes(100);
  const at = payloads.place(payload);
  expect(() => payloads.place(Buffer.alloc(2049))).toThrow(RangeError);
  const same = Buffer.from(payload);
  expect(payloads.place(same)).not.toBe(at);
  payloads.clear();
  expect(read(payload).equals(payload)).toBe(true);
  expect(() => new StagedPayloads(arena, { at: 64, length: stagedBytes - 16 })).toThrow(RangeError);
  expect(arena.isIntact).toBe(true);
});
