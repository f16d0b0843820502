import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opusPacketSamples } from '../../codecs/opus.ts';
import { packetizeOpus, packetizeOpusPair } from './opus-packetizer.ts';

/** CELT, fullband, 20 ms, stereo, one frame. */
const toc = 0xfc;
const packet = (bytes: number, first = toc) => Buffer.concat([Buffer.from([first]), Buffer.alloc(bytes, bytes & 0xff)]);

/** The frames of a packet of two, as a decoder finds them. */
function split(bytes: Buffer): Buffer[] {
  const code = bytes.readUInt8(0) & 3;
  if (code === 1) return [bytes.subarray(1, (bytes.length + 1) / 2), bytes.subarray((bytes.length + 1) / 2)];
  const low = bytes.readUInt8(1);
  const length = low < 252 ? low : low + 4 * bytes.readUInt8(2);
  const start = low < 252 ? 2 : 3;
  return [bytes.subarray(start, start + length), bytes.subarray(start + length)];
}

describe('two Opus packets', () => {
  it('are joined to one that a decoder splits again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1275 }), fc.integer({ min: 0, max: 1275 }), (first, second) => {
        const pair = packetizeOpusPair(packet(first), packet(second))?.subarray(12);
        expect(pair && opusPacketSamples(pair)).toBe(1920);
        expect(pair && split(pair).map(({ length }) => length)).toEqual([first, second]);
      }),
    );
  });

  it('stay separate when they differ in kind, hold several frames, or are long', () => {
    expect(packetizeOpusPair(packet(10), packet(10, 0xf8))).toBeUndefined();
    expect(packetizeOpusPair(packet(10, 0xfd), packet(10, 0xfd))).toBeUndefined();
    expect(packetizeOpusPair(packet(10, 0x18), packet(10, 0x18))).toBeUndefined();
    expect(packetizeOpusPair(Buffer.alloc(0), packet(10))).toBeUndefined();
    expect(packetizeOpus(packet(10)).subarray(12)).toEqual(packet(10));
  });
});
