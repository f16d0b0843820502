import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readHeaderText } from './rtp-packet.ts';

/** A packet with these extensions, in the form of one octet. */
function packetOf(elements: readonly (readonly [id: number, text: string])[]): Buffer {
  const body = Buffer.concat(
    elements.map(([id, text]) => Buffer.concat([Buffer.of((id << 4) | (text.length - 1)), Buffer.from(text)])),
  );
  const words = Math.ceil(body.length / 4);
  const head = Buffer.alloc(16);
  head[0] = 0x90;
  head.writeUInt16BE(0xbede, 12);
  head.writeUInt16BE(words, 14);
  return Buffer.concat([head, body, Buffer.alloc(words * 4 - body.length), Buffer.from('payload')]);
}

it('reads the text of one extension among others', () => {
  const packet = packetOf([
    [4, 'ab'],
    [10, 'h'],
    [9, '0123456789abcdef'],
  ]);
  expect([10, 9, 4, 11].map((id) => readHeaderText(packet, id))).toEqual(['h', '0123456789abcdef', 'ab', undefined]);
});

it('finds no extension in a packet without extensions, or in one of the other form', () => {
  const plain = packetOf([[10, 'h']]);
  plain[0] = 0x80;
  expect(readHeaderText(plain, 10)).toBeUndefined();
  const other = packetOf([[10, 'h']]);
  other.writeUInt16BE(0x1000, 12);
  expect(readHeaderText(other, 10)).toBeUndefined();
});

it('reads nothing beyond the extensions, whatever length they declare', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 48 }), fc.integer({ min: 1, max: 14 }), (bytes, id) => {
      const packet = Buffer.from(bytes);
      if (packet.length > 16) {
        packet[0] = 0x90;
        packet.writeUInt16BE(0xbede, 12);
      }
      const text = readHeaderText(packet, id);
      if (text !== undefined) expect(packet.subarray(16).toString('latin1')).toContain(text);
    }),
  );
});
