import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedMedia } from '../../frame.ts';
import { Amf0EcmaArray, type Amf0Value, decodeAmf0, encodeAmf0, UnsupportedAmf3 } from './amf0.ts';

const leaf = fc.oneof(fc.double({ noNaN: true }), fc.boolean(), fc.string({ maxLength: 20 }), fc.constant(null));
const value = fc.letrec<{ tree: Amf0Value }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), tie('tree'), { maxKeys: 4 }),
  ),
})).tree;

function nested(depth: number): Buffer {
  const open = Buffer.from([3, 0, 1, 0x61]);
  return Buffer.concat([...Array.from({ length: depth }, () => open), Buffer.from([5])]);
}

describe('AMF0', () => {
  it.each<[string, Amf0Value]>([
    ['a number', 3.5],
    ['true', true],
    ['false', false],
    ['a string', 'händel'],
    ['a long string', 'x'.repeat(65_536)],
    ['null', null],
    ['undefined', undefined],
    ['a date', new Date(1_700_000_000_000)],
    ['a strict array', [1, 'two', null]],
  ])('reads back %s', (_name, item) => {
    expect(decodeAmf0(encodeAmf0([item]))).toEqual([item]);
  });

  it('reads back any tree of values', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (values) => {
        expect(JSON.stringify(decodeAmf0(encodeAmf0(values)))).toBe(JSON.stringify(values));
      }),
    );
  });

  it('reads an ECMA array and a typed object as objects', () => {
    expect(decodeAmf0(encodeAmf0([new Amf0EcmaArray({ width: 640 })]))).toEqual([{ width: 640 }]);
    const typed = Buffer.concat([Buffer.from([16, 0, 1, 0x41]), encodeAmf0([{ a: 1 }]).subarray(1)]);
    expect(decodeAmf0(typed)).toEqual([{ a: 1 }]);
  });

  it('accepts an object whose end marker is missing at the end of the message', () => {
    expect(decodeAmf0(encodeAmf0([{ a: 1 }]).subarray(0, -3))).toEqual([{ a: 1 }]);
  });

  it('keeps a key named __proto__ in its own object', () => {
    const bytes = encodeAmf0([JSON.parse('{"__proto__":{"polluted":true}}')]);
    const [decoded] = decodeAmf0(bytes);
    expect(Object.getPrototypeOf(decoded)).toBeNull();
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it.each<[string, Buffer]>([
    ['10,000 nested objects', nested(10_000)],
    ['17 nested objects', nested(17)],
    ['2,001 values', encodeAmf0(Array.from({ length: 2001 }, () => null))],
    ['an array that claims 2^32 - 1 items', Buffer.from([10, 255, 255, 255, 255])],
    ['a long string that claims 2^31 bytes', Buffer.from([12, 128, 0, 0, 0])],
    ['a string longer than the message', Buffer.from([2, 0, 9, 0x61])],
    ['half a number', Buffer.from([0, 1, 2])],
    ['an unknown marker', Buffer.from([0x7f])],
  ])('refuses %s', (_name, bytes) => {
    expect(() => decodeAmf0(bytes)).toThrow(MalformedMedia);
  });

  it('distinguishes AMF3 from malformed bytes', () => {
    expect(() => decodeAmf0(Buffer.from([2, 0, 0, 17, 4, 1]))).toThrow(UnsupportedAmf3);
  });

  it('throws nothing but MalformedMedia on any bytes', () => {
    const start = fc.constantFrom(...[0, 2, 3, 8, 10, 12, 16].map((marker) => Buffer.from([marker])));
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 200 }), (head, tail) => {
        expectMalformedOrFine(() => decodeAmf0(Buffer.concat([head, tail])));
      }),
      { numRuns: 2000 },
    );
  });
});

function expectMalformedOrFine(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedMedia);
  }
}
