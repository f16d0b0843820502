import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedMedia } from '../frame.ts';
import { BitReader, withoutEmulationPrevention } from './bit-reader.ts';
import { fromAnnexB, joinNals, NalCursor, splitAnnexB, toAnnexB } from './nal.ts';

/** A NAL unit as an encoder would leave it: no start code inside, no zero at its end. */
const nal = fc
  .uint8Array({ minLength: 1, maxLength: 60 })
  .map((bytes) => Buffer.from([...bytes.map((byte, index) => (index % 2 === 1 && byte < 4 ? 4 : byte)), 0x80]));

describe('Annex B', () => {
  it('is split into the NAL units it was made of', () => {
    fc.assert(
      fc.property(fc.array(nal, { maxLength: 6 }), fc.array(nal, { maxLength: 3 }), (nals, sets) => {
        expect(splitAnnexB(toAnnexB(joinNals(nals), sets))).toEqual([...sets, ...nals]);
        expect(fromAnnexB(toAnnexB(joinNals(nals)))).toEqual(joinNals(nals));
      }),
    );
  });

  it('has short and long start codes, and zeros that belong to neither unit', () => {
    const bytes = Buffer.from('ff 000001 65aa 00000001 41bb 0000 000001 0680 000000'.replaceAll(' ', ''), 'hex');
    expect(splitAnnexB(bytes).map((unit) => unit.toString('hex'))).toEqual(['65aa', '41bb', '0680']);
  });
});

describe('NalCursor', () => {
  it('walks the units without their lengths, and over empty ones', () => {
    const cursor = new NalCursor(Buffer.from('0000000265aa000000000000000141', 'hex'));
    const seen: string[] = [];
    while (cursor.next()) seen.push(cursor.view().toString('hex'));
    expect(seen).toEqual(['65aa', '41']);
  });

  it.each(['000000', '0000000365aa', 'ffffffff65'])('refuses %s', (hex) => {
    expect(() => new NalCursor(Buffer.from(hex, 'hex')).next()).toThrow(MalformedMedia);
  });
});

describe('BitReader', () => {
  it('reads fields of up to 32 bits across bytes', () => {
    const reader = new BitReader(Buffer.from('9ffffffff5', 'hex'));
    expect([reader.bits(4), reader.bits(32), reader.bits(4)]).toEqual([9, 0xffffffff, 5]);
    expect(() => reader.bits(1)).toThrow(MalformedMedia);
  });

  it('reads exp-Golomb codes', () => {
    // 1 010 011 00100 00101, then the signed readings of the same codes
    const codes = Buffer.from(
      '1010011001000010'
        .concat('1'.padEnd(16, '0'))
        .match(/.{8}/g)
        ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
    );
    const unsigned = new BitReader(codes);
    expect(Array.from({ length: 5 }, () => unsigned.unsignedGolomb())).toEqual([0, 1, 2, 3, 4]);
    const signed = new BitReader(codes);
    expect(Array.from({ length: 5 }, () => signed.signedGolomb())).toEqual([-0, 1, -1, 2, -2]);
  });

  it('refuses codes that never end', () => {
    expect(() => new BitReader(Buffer.alloc(100)).unsignedGolomb()).toThrow(MalformedMedia);
  });

  it('removes emulation prevention bytes', () => {
    expect(withoutEmulationPrevention(Buffer.from('6700000301000003', 'hex')).toString('hex')).toBe('670000010000');
  });
});
