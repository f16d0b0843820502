import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedMedia } from '../frame.ts';
import { aacSampleRates, parseAudioSpecificConfig, writeAudioSpecificConfig } from './aac.ts';
import { adtsHeader, parseAdts } from './adts.ts';
import { parseMp3Header } from './mp3.ts';
import { opusPacketSamples, parseOpusHead, writeOpusHead } from './opus.ts';

/** Bits in the notation of the standard, padded with zeros. */
function record(...fields: readonly (readonly [value: number, bits: number])[]): Buffer {
  const bits = fields.map(([value, count]) => value.toString(2).padStart(count, '0')).join('');
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

describe('parseAudioSpecificConfig', () => {
  it.each([
    ['LC', '1210', { sampleRate: 44_100, channels: 2, profile: 'LC', frameSamples: 1024 }],
    ['LC of 48 kHz mono', '1188', { sampleRate: 48_000, channels: 1, profile: 'LC' }],
    ['LC as ffmpeg writes it', '119056e500', { sampleRate: 48_000, channels: 2, profile: 'LC' }],
    ['7.1', '11b8', { sampleRate: 48_000, channels: 8 }],
  ])('reads %s', (_, hex, facts) => {
    expect(parseAudioSpecificConfig(Buffer.from(hex, 'hex'))).toMatchObject(facts);
  });

  it('reads explicitly signalled SBR', () => {
    const config = record([5, 5], [7, 4], [2, 4], [4, 4], [2, 5], [0, 3]);
    const facts = { sampleRate: 44_100, coreSampleRate: 22_050, channels: 2, profile: 'HE-AAC', frameSamples: 2048 };
    expect(parseAudioSpecificConfig(config)).toMatchObject({ ...facts, objectType: 2 });
  });

  it('reads parametric stereo as two channels over a mono core', () => {
    const config = record([29, 5], [7, 4], [1, 4], [4, 4], [2, 5], [0, 3]);
    const facts = parseAudioSpecificConfig(config);
    expect(facts).toMatchObject({ sampleRate: 44_100, channels: 2, profile: 'HE-AACv2' });
    expect((adtsHeader(facts, 100).readUInt16BE(2) >> 6) & 7).toBe(1);
  });

  it('reads SBR in the sync extension', () => {
    const config = record([2, 5], [6, 4], [2, 4], [0, 3], [0x2b7, 11], [5, 5], [1, 1], [3, 4]);
    expect(parseAudioSpecificConfig(config)).toMatchObject({ sampleRate: 48_000, profile: 'HE-AAC' });
  });

  it('reads the channels of a program config element', () => {
    const element = [
      [0, 10],
      [2, 4],
      [0, 4],
      [1, 4],
      [1, 2],
      [0, 3],
      [0, 4],
      [0, 3],
    ] as const;
    const speakers = [
      [0, 5],
      [16, 5],
      [16, 5],
      [0, 4],
    ] as const;
    const config = record([2, 5], [3, 4], [0, 4], [0, 3], ...element, ...speakers, [0, 16]);
    expect(parseAudioSpecificConfig(config).channels).toBe(6);
  });

  it('reads back any rate and layout it writes', () => {
    const rates = fc.oneof(fc.constantFrom(...aacSampleRates), fc.integer({ min: 1, max: 0xffffff }));
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 3, 4),
        rates,
        fc.constantFrom(1, 2, 3, 4, 5, 6, 8),
        (objectType, sampleRate, channels) => {
          const facts = { objectType, sampleRate, channels };
          expect(parseAudioSpecificConfig(writeAudioSpecificConfig(facts))).toMatchObject(facts);
        },
      ),
    );
  });
});

describe('ADTS', () => {
  const config = Buffer.from('1210', 'hex');
  const header = (length: number) => adtsHeader(parseAudioSpecificConfig(config), length);

  it('is parsed into frames and the config they were made with', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 8184 }), { minLength: 1, maxLength: 5 }),
        (payloads) => {
          const frames = payloads.map((payload) => Buffer.from(payload));
          const bytes = Buffer.concat(frames.flatMap((frame) => [header(frame.length), frame]));
          expect(parseAdts(bytes)).toEqual({ record: config, frames, consumedBytes: bytes.length });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('leaves an incomplete frame for later', () => {
    const bytes = Buffer.concat([header(10), Buffer.alloc(10), header(10), Buffer.alloc(9)]);
    expect(parseAdts(bytes)).toMatchObject({ consumedBytes: 17 });
  });

  it('refuses a frame longer than its 13-bit length field', () => {
    expect(() => header(8185)).toThrow(MalformedMedia);
  });
});

describe('parseMp3Header', () => {
  it.each([
    ['fffb9064', { sampleRate: 44_100, channels: 2, bitrateKbps: 128, frameBytes: 417, frameSamples: 1152 }],
    ['fffb94c4', { sampleRate: 48_000, channels: 1, bitrateKbps: 128, frameBytes: 384, frameSamples: 1152 }],
    ['fff380c4', { sampleRate: 22_050, channels: 1, bitrateKbps: 64, frameBytes: 208, frameSamples: 576 }],
  ])('reads %s', (hex, facts) => {
    expect(parseMp3Header(Buffer.from(hex, 'hex'))).toEqual(facts);
  });

  it.each(['fffb', 'fffb0064', 'fffbf064', 'fffb9c64', 'fffd9064', '00000000'])('rejects %s', (hex) => {
    expect(parseMp3Header(Buffer.from(hex, 'hex'))).toBeUndefined();
  });
});

describe('Opus', () => {
  it.each([1, 2, 6, 8])('reads back the header it writes for %d channels', (channels) => {
    expect(parseOpusHead(writeOpusHead(channels))).toEqual({ sampleRate: 48_000, channels, preSkipSamples: 312 });
  });

  it.each([
    ['fc', 960],
    ['e4', 120],
    ['e9', 480],
    ['0b06', 5760],
    ['78', 960],
    ['1800', 2880],
  ])('reads the duration of %s', (hex, samples) => {
    expect(opusPacketSamples(Buffer.from(hex, 'hex'))).toBe(samples);
  });
});
