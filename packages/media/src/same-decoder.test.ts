import { describe, expect, it } from 'vitest';
import type { AudioConfig, VideoConfig } from './frame.ts';
import { isSameDecoder } from './same-decoder.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const facts = { width: 0, height: 0, profile: '', level: '', fps: 0 };
const h264 = (record: Buffer): VideoConfig => ({ kind: 'video', codec: 'h264', record, ...facts });
const aac = (record: string, sampleRate = 44_100): AudioConfig => ({
  kind: 'audio',
  codec: 'aac',
  record: hex(record),
  sampleRate,
  channels: 2,
  profile: 'LC',
});

const sps = '0015 6742c00ad9096c0440000003004000000c83c48992';
const pps = '0005 68cb83cb20';
const avc = h264(hex(`0142c00a ff e1 ${sps} 01 ${pps}`));

describe('isSameDecoder', () => {
  it('accepts records with the same parameter sets', () => {
    expect(isSameDecoder(avc, h264(hex(`0142000a ff e1 ${sps} 01 ${pps} fdf8f800`)))).toBe(true);
    expect(isSameDecoder(avc, h264(hex(`0142c00a ff e1 ${sps} 01 0005 68cb83cb21`)))).toBe(false);
    expect(isSameDecoder(avc, h264(hex(`0142c00a ff e1 ${sps} 02 ${pps} 0005 68cb83cb21`)))).toBe(false);
    expect(isSameDecoder(avc, { ...avc, codec: 'h265' })).toBe(false);
  });

  it('accepts AAC of the same format, with or without an empty extension', () => {
    expect(isSameDecoder(aac('1210'), aac('1210 56e500'))).toBe(true);
    expect(isSameDecoder(aac('1210'), aac('1190', 48_000))).toBe(false);
    expect(isSameDecoder(aac('1210'), aac('1208'))).toBe(false);
  });

  it('compares the rate where there is no record, and ignores what cannot be parsed', () => {
    const mp3 = (sampleRate: number): AudioConfig => ({ ...aac('', sampleRate), codec: 'mp3' });
    expect(isSameDecoder(mp3(44_100), mp3(44_100))).toBe(true);
    expect(isSameDecoder(mp3(44_100), mp3(48_000))).toBe(false);
    expect(isSameDecoder(avc, h264(hex('00')))).toBe(false);
    expect(isSameDecoder(h264(hex('ff')), h264(hex('ff')))).toBe(true);
  });
});
