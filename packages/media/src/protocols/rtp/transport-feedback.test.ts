import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRtcp } from './index.ts';

it('reads when packets arrived, whichever way their states are told', () => {
  const body = Buffer.alloc(28);
  body.writeUInt16BE(65_534, 8);
  body.writeUInt16BE(9, 10);
  body.writeIntBE(10, 12, 3);
  // One bit each: arrived, lost, arrived, and the rest lost.
  body.writeUInt16BE(0b10_10100000000000, 16);
  body.writeUInt8(4, 18);
  body.writeUInt8(8, 19);
  const packet = Buffer.concat([Buffer.from([0x8f, 205, 0, 7]), body]);
  const [feedback] = parseRtcp(packet);
  expect(feedback).toEqual({
    type: 'transport-feedback',
    base: 65_534,
    arrivalsMs: [641, undefined, 643, ...Array.from({ length: 6 }, () => undefined)],
  });
});

it('reads runs and pairs of bits, and differences that go back', () => {
  const body = Buffer.alloc(28);
  body.writeUInt16BE(6, 10);
  // A run of three that arrived, then two bits each: lost, far back, near.
  body.writeUInt16BE(0b001_0000000000011, 16);
  body.writeUInt16BE(0b11_00_10_01_00000000, 18);
  Buffer.from([4, 4, 4]).copy(body, 20);
  body.writeInt16BE(-8, 23);
  body.writeUInt8(4, 25);
  const [feedback] = parseRtcp(Buffer.concat([Buffer.from([0x8f, 205, 0, 7]), body]));
  expect(feedback).toMatchObject({ arrivalsMs: [1, 2, 3, undefined, 1, 2] });
});

it('is bounded by what is there, whatever it claims', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 120 }), (array) => {
      const body = Buffer.from(array.subarray(0, array.length & ~3));
      const head = Buffer.from([0x8f, 205, 0, body.length / 4]);
      for (const packet of parseRtcp(Buffer.concat([head, body])))
        if (packet.type === 'transport-feedback' && packet.arrivalsMs.length > 4096) throw new Error('too many');
    }),
    { numRuns: 3000 },
  );
});
