import { describe, expect, it } from 'vitest';
import { codecString } from './codec-string.ts';
import { avcParameterSets, parseAvcRecord, writeAvcRecord } from './h264.ts';
import { hevcParameterSets, parseHevcRecord, writeHevcRecord } from './h265.ts';
import { avcRecord, hevcRecord } from './records.fixture.ts';

describe('parseAvcRecord', () => {
  it.each([
    ['Constrained Baseline', '3.1', ['-profile:v', 'baseline', '-level', '3.1', '-pix_fmt', 'yuv420p']],
    ['Main', '4', ['-profile:v', 'main', '-level', '4', '-pix_fmt', 'yuv420p']],
    ['High', '5.1', ['-profile:v', 'high', '-level', '5.1', '-pix_fmt', 'yuv420p']],
    ['High 10', '4.2', ['-level', '4.2', '-pix_fmt', 'yuv420p10le']],
    ['High 4:2:2', '4.2', ['-level', '4.2', '-pix_fmt', 'yuv422p']],
    ['High 4:4:4 Predictive', '4.2', ['-level', '4.2', '-pix_fmt', 'yuv444p']],
  ])('reads %s at level %s, cropped to an odd size', (profile, level, options) => {
    const record = avcRecord('642x362', '30000/1001', ...options);
    expect(parseAvcRecord(record)).toEqual({ width: 642, height: 362, profile, level, fps: 29.97 });
  });

  it('reads interlaced video and scaling lists', () => {
    const record = avcRecord('1920x1080', '25', '-pix_fmt', 'yuv420p', '-flags', '+ildct', '-x264-params', 'cqm=jvt');
    expect(parseAvcRecord(record)).toMatchObject({ width: 1920, height: 1080, profile: 'High', fps: 25 });
  });

  it('writes the same record from its parsed parts', () => {
    const record = avcRecord('322x182', '25', '-pix_fmt', 'yuv420p');
    const { sps, pps, nalLengthSize } = avcParameterSets(record);
    expect(writeAvcRecord(sps, pps)).toEqual(record);
    expect(nalLengthSize).toBe(4);
  });
});

describe('a parameter set with truncated timing', () => {
  it('still contains size and profile', () => {
    const { sps, pps } = avcParameterSets(avcRecord('322x182', '25', '-pix_fmt', 'yuv420p'));
    const cut = writeAvcRecord([Buffer.from(sps[0]?.subarray(0, 14) ?? [])], pps);
    expect(parseAvcRecord(cut)).toMatchObject({ width: 322, height: 182, profile: 'High', fps: 0 });
  });
});

describe('parseHevcRecord', () => {
  it.each([
    ['Main', ['-pix_fmt', 'yuv420p']],
    ['Main 10', ['-pix_fmt', 'yuv420p10le']],
    ['Rext', ['-pix_fmt', 'yuv422p']],
  ])('reads %s', (profile, options) => {
    const record = hevcRecord('1280x718', '30', ...options);
    expect(parseHevcRecord(record)).toEqual({ width: 1280, height: 718, profile, level: '3.1', fps: 30 });
  });

  it('writes the same record from its parsed parts', () => {
    const record = hevcRecord('322x182', '25', '-pix_fmt', 'yuv420p');
    const { vps, sps, pps } = hevcParameterSets(record);
    expect(writeHevcRecord(vps, sps, pps)).toEqual(record);
  });
});

describe('codecString', () => {
  const facts = { kind: 'video', width: 0, height: 0, profile: '', level: '', fps: 0 } as const;
  it.each([
    ['h264', '0164001fffe1', 'avc1.64001f'],
    ['h265', '010160000000b00000000000 5d', 'hvc1.1.6.L93.B0'],
    ['h265', '012220000000900000000000 99', 'hvc1.2.4.H153.90'],
    ['av1', '81082c00', 'av01.0.08M.08'],
    ['vp9', '01000000001f80', 'vp09.00.31.08'],
  ] as const)('names %s as players expect it', (codec, hex, name) => {
    expect(codecString({ ...facts, codec, record: Buffer.from(hex.replace(' ', ''), 'hex') })).toBe(name);
  });

  it.each([
    ['aac', '1210', 'mp4a.40.2'],
    ['mp3', '', 'mp4a.40.34'],
    ['opus', '', 'opus'],
  ] as const)('names %s as players expect it', (codec, hex, name) => {
    const record = Buffer.from(hex, 'hex');
    expect(codecString({ kind: 'audio', codec, record, sampleRate: 48_000, channels: 2, profile: '' })).toBe(name);
  });
});
