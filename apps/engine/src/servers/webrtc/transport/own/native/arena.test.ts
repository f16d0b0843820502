import { expect, it } from 'vitest';
import { Arena } from './arena.ts';

const open = () => new Arena({ bytes: Buffer.alloc(1024), address: 2 ** 40 });

it('returns addresses only of ranges completely inside it', () => {
  const arena = open();
  const { at, length } = arena.region(100);
  expect(length).toBe(112);
  expect(arena.address(at, length)).toBe(2 ** 40 + at);
  for (const [from, octets] of [
    [at - 1, 1],
    [at, length + 1],
    [at + length, 1],
    [-1, 1],
    [at, -1],
    [Number.NaN, 1],
    [at, Number.NaN],
    [2 ** 31, 1],
  ] as const)
    expect(() => arena.address(from, octets)).toThrow(RangeError);
  expect(() => arena.region(2000)).toThrow(RangeError);
  expect(() => arena.region(0)).toThrow(RangeError);
});

it('detects a single byte written between its regions', () => {
  const arena = open();
  const [first, second] = [arena.region(16), arena.region(16)];
  arena.bytes.fill(1, first.at, first.at + first.length);
  arena.bytes.fill(2, second.at, second.at + second.length);
  expect(arena.isIntact).toBe(true);
  arena.bytes[first.at + first.length] = 0;
  expect(arena.isIntact).toBe(false);
});
