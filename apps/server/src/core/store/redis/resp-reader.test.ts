import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Reply, ReplyError, RespReader } from './resp-reader.ts';

function written(reply: Reply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  if (reply instanceof ReplyError) return `-${reply.message}\r\n`;
  return `*${reply.length}\r\n${reply.map(written).join('')}`;
}

const leaf = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null));
const list = fc.array(fc.oneof(leaf, fc.array(leaf, { maxLength: 4 })), { maxLength: 5 });
const replies = fc.array(fc.oneof(leaf, list), { minLength: 1, maxLength: 5 });

describe('RespReader', () => {
  it('reads the same answers however the bytes are split', () => {
    fc.assert(
      fc.property(replies, fc.array(fc.nat(200), { maxLength: 30 }), (wanted, cuts) => {
        const bytes = Buffer.from(wanted.map(written).join(''));
        const reader = new RespReader();
        const places = [...new Set(cuts.filter((at) => at < bytes.length))].sort((a, b) => a - b);
        const found = [0, ...places].flatMap((at, index) => reader.push(bytes.subarray(at, places[index])));
        expect(found).toEqual(wanted);
      }),
    );
  });

  it('reads status lines, and errors as values', () => {
    const [status, error] = new RespReader().push(Buffer.from('+OK\r\n-LOADING reading\r\n'));
    expect(status).toBe('OK');
    expect(error).toEqual(new ReplyError('LOADING reading'));
  });

  it.each([
    ['another protocol', 'HTTP/1.1 400 Bad Request\r\n'],
    ['a text larger than any of ours', '$999999999999\r\n'],
    ['a list longer than any of ours', '*9999999\r\n'],
    ['lists without an end', '*1\r\n'.repeat(6)],
    ['a length that is no number', '$12x\r\n'],
    ['a text that is longer than it said', '$2\r\nabc\r\n'],
    ['a line without an end', '+'.padEnd(70_000, 'x')],
  ])('refuses %s', (_what, text) => {
    expect(() => new RespReader().push(Buffer.from(text))).toThrow();
  });
});
