import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opusPacketSamples } from '../../codecs/opus.ts';
import { joinOpusPackets, packetizeOpus } from './opus-packetizer.ts';

/** CELT, fullband, stereo, one frame of 20 or 10 ms. */
const toc20 = 0xfc;
const toc10 = 0xf4;
const packet = (bytes: number, toc = toc20) => Buffer.concat([Buffer.from([toc]), Buffer.alloc(bytes, bytes & 0xff)]);

/** Lengths of the frames of a packet, as a decoder finds them. */
function frameLengths(bytes: Buffer): number[] {
  const code = bytes.readUInt8(0) & 3;
  if (code === 0) return [bytes.length - 1];
  if (code === 1) return [(bytes.length - 1) / 2, (bytes.length - 1) / 2];
  const count = code === 2 ? 2 : bytes.readUInt8(1) & 0x3f;
  let at = code === 2 ? 1 : 2;
  const lengths: number[] = [];
  while (lengths.length < count - 1) {
    const low = bytes.readUInt8(at++);
    lengths.push(low < 252 ? low : low + 4 * bytes.readUInt8(at++));
  }
  return [...lengths, bytes.length - at - lengths.reduce((sum, length) => sum + length, 0)];
}

describe('Opus packets', () => {
  it.each([
    [toc20, 2],
    [toc10, 4],
  ])('of kind %d are joined, at most %d, to one that a decoder splits again', (toc, most) => {
    const sizes = fc.array(fc.integer({ min: 0, max: 1275 }), { minLength: 1, maxLength: most });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const joined = joinOpusPackets(lengths.map((length) => packet(length, toc)))?.subarray(12);
        expect(joined && opusPacketSamples(joined)).toBe((lengths.length * 1920) / most);
        expect(joined && frameLengths(joined)).toEqual(lengths);
      }),
    );
  });

  it('stay separate when they differ in kind, hold several frames, or are long', () => {
    expect(joinOpusPackets([packet(10), packet(10, 0xf8)])).toBeUndefined();
    expect(joinOpusPackets([packet(10, 0xfd), packet(10, 0xfd)])).toBeUndefined();
    expect(joinOpusPackets([packet(10, 0x18), packet(10, 0x18)])).toBeUndefined();
    expect(joinOpusPackets([packet(10), packet(10), packet(10)])).toBeUndefined();
    expect(joinOpusPackets([Buffer.alloc(0), packet(10)])).toBeUndefined();
    expect(joinOpusPackets([])).toBeUndefined();
    expect(packetizeOpus(packet(10)).subarray(12)).toEqual(packet(10));
  });
});
