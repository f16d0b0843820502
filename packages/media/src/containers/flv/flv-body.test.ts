import { describe, expect, it } from 'vitest';
import { avcParameterSets } from '../../codecs/h264.ts';
import { joinNals } from '../../codecs/nal.ts';
import { writeOpusHead } from '../../codecs/opus.ts';
import { type Demuxed, MalformedMedia, type MediaFrame, type TrackConfig } from '../../frame.ts';
import { encodeAmf0 } from '../../protocols/rtmp/amf0.ts';
import { readFlvBody } from './flv-body.ts';
import { FlvBodyReader } from './flv-body-reader.ts';
import { writeFlvBody, writeFlvConfig, writeFlvMetadata } from './flv-body-writer.ts';

const avcC = Buffer.from(
  '0142c01effe100196742c01eda0280bfe5c0440000030004000003' + '00c83c58ba8001000468ce0fc8',
  'hex',
);
/** Form of ffmpeg 8: with the version and flags of the box. */
const vpcC = Buffer.from('01000000000b820202020000', 'hex');
const asc = Buffer.from('1208', 'hex');
const nal = (type: number, length: number) =>
  Buffer.concat([Buffer.from([0, 0, 0, length, type]), Buffer.alloc(length - 1, 9)]);

const frame = (codec: MediaFrame['codec'], ptsMs = 40, payload = nal(0x65, 4)): MediaFrame => ({
  kind: codec === 'aac' || codec === 'mp3' || codec === 'opus' ? 'audio' : 'video',
  codec,
  dtsMs: 40,
  ptsMs,
  isKeyframe: true,
  payload,
});

describe('FLV bodies', () => {
  it.each<[string, MediaFrame]>([
    ['h264', frame('h264')],
    ['h264 with B-frames', frame('h264', 120)],
    ['h264 that is shown before it is decoded', frame('h264', 20)],
    ['h265', frame('h265')],
    ['h265 with B-frames', frame('h265', 120)],
    ['av1', frame('av1')],
    ['vp9', frame('vp9')],
    ['aac', frame('aac')],
    ['mp3', frame('mp3')],
    ['opus', frame('opus')],
    ['an interframe', { ...frame('h265', 120), isKeyframe: false }],
  ])('reads back a frame of %s', (_name, item) => {
    expect(readFlvBody(item.kind === 'video' ? 9 : 8, 40, writeFlvBody(item))).toEqual({ type: 'frame', frame: item });
  });

  const video = { kind: 'video', width: 0, height: 0, profile: '', level: '', fps: 0 } as const;
  const audio = { kind: 'audio', sampleRate: 0, channels: 0, profile: '' } as const;
  it.each<[string, TrackConfig, object]>([
    ['h264', { ...video, codec: 'h264', record: avcC }, { width: 640, height: 360, fps: 25, level: '3' }],
    ['av1', { ...video, codec: 'av1', record: Buffer.from([0x81, 0, 0, 0]) }, { width: 0 }],
    [
      'av1 with its sequence header',
      { ...video, codec: 'av1', record: Buffer.from('81000c000a0b000000043cfeccdaf90040', 'hex') },
      { width: 320, height: 180, profile: 'Main' },
    ],
    ['vp9', { ...video, codec: 'vp9', record: vpcC }, { width: 0 }],
    ['aac', { ...audio, codec: 'aac', record: asc }, { sampleRate: 44_100, channels: 1, profile: 'LC' }],
    ['opus', { ...audio, codec: 'opus', record: writeOpusHead(2) }, { sampleRate: 48_000, channels: 2 }],
  ])('reads back the config of %s', (_name, config, facts) => {
    const { kind, codec, record } = config;
    const item = readFlvBody(kind === 'video' ? 9 : 8, 0, writeFlvConfig(config));
    expect(item).toMatchObject({ type: 'config', config: { codec, record, ...facts } });
  });

  it('reads H.265 of encoders that predate enhanced RTMP', () => {
    const body = Buffer.concat([Buffer.from([0x1c, 1, 0, 0, 80]), nal(0x26, 4)]);
    expect(readFlvBody(9, 40, body)).toEqual({
      type: 'frame',
      frame: { ...frame('h265', 120), payload: nal(0x26, 4) },
    });
  });

  it('skips modifiers', () => {
    const body = Buffer.concat([Buffer.from([0x97, 2, 1, 2, 3, 0x03]), Buffer.from('hvc1'), nal(0x26, 4)]);
    expect(readFlvBody(9, 40, body)).toMatchObject({ type: 'frame', frame: { codec: 'h265' } });
  });

  it('reads back metadata, limited to values that AMF0 can encode', () => {
    const values = { width: 640, encoder: 'x', stereo: true, list: [1], none: undefined, call: () => 1 };
    expect(readFlvBody(18, 0, writeFlvMetadata(values))).toEqual({
      type: 'metadata',
      values: { width: 640, encoder: 'x', stereo: true, list: [1] },
    });
  });

  it('reads the keyframe index of a long file', () => {
    const times = Array.from({ length: 5000 }, (_, index) => index);
    expect(readFlvBody(18, 0, writeFlvMetadata({ keyframes: { times } }))).toMatchObject({
      values: { keyframes: { times } },
    });
  });

  it.each<[string, 8 | 9 | 18, Buffer]>([
    ['an empty body', 9, Buffer.alloc(0)],
    ['an end of sequence', 9, Buffer.from([0x17, 2, 0, 0, 0])],
    ['a command frame', 9, Buffer.from([0x57, 0])],
    ['Sorenson video', 9, Buffer.from([0x12, 1, 2, 3])],
    ['Speex', 8, Buffer.from([0xb6, 1, 2])],
    ['an unknown FourCC', 9, Buffer.from([0x90, 0x61, 0x62, 0x63, 0x64])],
    ['metadata of colours', 9, Buffer.concat([Buffer.from([0x94]), Buffer.from('hvc1'), Buffer.from([2])])],
    ['an empty AAC config', 8, Buffer.from([0xaf, 0])],
    ['an empty frame', 9, Buffer.from([0x17, 1, 0, 0, 0])],
    ['another script', 18, encodeAmf0(['onCuePoint', { a: 1 }])],
    ['metadata that is no object', 18, encodeAmf0(['onMetaData', 7])],
    ['a broken script of another name', 18, Buffer.concat([encodeAmf0(['onTextData']), Buffer.from([0x7f])])],
  ])('ignores %s', (_name, kind, body) => {
    expect(readFlvBody(kind, 0, body)).toBeUndefined();
  });

  it.each<[string, 8 | 9 | 18, Buffer]>([
    ['a video body of one byte', 9, Buffer.from([0x17])],
    ['a cut composition time', 9, Buffer.from([0x17, 1, 0])],
    ['a cut FourCC', 9, Buffer.from([0x90, 0x68])],
    ['modifiers without end', 9, Buffer.from([0x97, 255, 255, 255])],
    ['a config that is none', 9, Buffer.from([0x17, 0, 0, 0, 0, 9, 9, 9])],
    ['more metadata than a file has', 18, encodeAmf0(['onMetaData', Array.from({ length: 60_000 }, () => null)])],
    ['metadata without end', 18, Buffer.concat([encodeAmf0(['onMetaData']), Buffer.from([3, 0, 1, 0x61, 0x7f])])],
  ])('refuses %s', (_name, kind, body) => {
    expect(() => readFlvBody(kind, 0, body)).toThrow(MalformedMedia);
  });
});

describe('FlvBodyReader', () => {
  const legacy = (payload: Buffer) => Buffer.concat([Buffer.from([0x17, 1, 0, 0, 0]), payload]);
  const config = (record: Buffer) => Buffer.concat([Buffer.from([0x17, 0, 0, 0, 0]), record]);
  const payloadOf = ([item]: Demuxed[]) => (item?.type === 'frame' ? item.frame.payload : undefined);

  it('drops frames before their config', () => {
    const reader = new FlvBodyReader();
    expect(reader.read(9, 0, legacy(nal(0x65, 4)))).toEqual([]);
    expect(reader.read(8, 0, Buffer.from([0xaf, 1, 1, 2]))).toEqual([]);
    expect(reader.read(9, 0, config(avcC))).toHaveLength(1);
    expect(reader.read(9, 0, legacy(nal(0x65, 4)))).toHaveLength(1);
  });

  it('announces VP9 with its first keyframe, which contains the size, and again when that changes', () => {
    const reader = new FlvBodyReader();
    const start = (record: Buffer) => Buffer.concat([Buffer.from([0x90]), Buffer.from('vp09'), record]);
    const picture = (first: number, hex: string) =>
      Buffer.concat([Buffer.from([first]), Buffer.from('vp09'), Buffer.from(hex, 'hex')]);
    const key = (hex: string) => picture(0x91, hex);
    // The record without version and flags, as the standard has it.
    expect(reader.read(9, 0, start(vpcC.subarray(4)))).toEqual([]);
    expect(reader.read(9, 0, picture(0xa1, '86004092f0a125'))).toEqual([]);
    expect(reader.read(9, 0, key('86004092f0a125'))).toEqual([]);
    const small = { type: 'config', config: { codec: 'vp9', record: vpcC, width: 320, height: 180 } };
    expect(reader.read(9, 0, key('824983420013f00b360638241c18'))).toMatchObject([small, { type: 'frame' }]);
    expect(reader.read(9, 40, picture(0xa1, '86004092f0a125'))).toMatchObject([{ type: 'frame' }]);
    expect(reader.read(9, 80, start(vpcC))).toEqual([]);
    expect(reader.read(9, 80, key('824983420013f00b360638241c18'))).toMatchObject([{ type: 'frame' }]);
    const large = { type: 'config', config: { width: 640, height: 360 } };
    expect(reader.read(9, 120, key('824983420027f016760638241c18'))).toMatchObject([large, { type: 'frame' }]);
    expect(reader.read(9, 160, key('86004092f0a125'))).toMatchObject([{ type: 'frame' }]);
  });

  it('announces MP3 once, from its first frame', () => {
    const reader = new FlvBodyReader();
    const body = Buffer.from([0x2f, 0xff, 0xfb, 0x90, 0x64, 0, 0]);
    expect(reader.read(8, 0, body)).toMatchObject([
      { type: 'config', config: { codec: 'mp3', sampleRate: 44_100, channels: 2 } },
      { type: 'frame' },
    ]);
    expect(reader.read(8, 26, body)).toMatchObject([{ type: 'frame' }]);
  });

  it('passes a canonical frame on unchanged', () => {
    const reader = new FlvBodyReader();
    reader.read(9, 0, config(avcC));
    const body = legacy(Buffer.concat([nal(0x06, 3), nal(0x65, 20)]));
    expect(payloadOf(reader.read(9, 0, body))?.buffer).toBe(body.buffer);
  });

  const { sps, pps } = avcParameterSets(avcC);
  const withSets = (...sets: Buffer[]) => legacy(Buffer.concat([joinNals(sets), nal(0x65, 20)]));

  it('removes parameter sets that the config contains', () => {
    const reader = new FlvBodyReader();
    reader.read(9, 0, config(avcC));
    const padded = pps.map((set) => Buffer.concat([set, Buffer.alloc(2)]));
    expect(payloadOf(reader.read(9, 0, withSets(...sps, ...padded)))).toEqual(nal(0x65, 20));
    expect(payloadOf(reader.read(9, 0, withSets(...sps)))).toEqual(nal(0x65, 20));
    expect(reader.read(9, 0, legacy(joinNals(sps)))).toEqual([]);
  });

  it('makes a config from parameter sets inside a frame when there is none, or a new one', () => {
    const reader = new FlvBodyReader();
    const body = withSets(...sps, ...pps);
    expect(reader.read(9, 0, body)).toMatchObject([{ type: 'config', config: { width: 640 } }, { type: 'frame' }]);
    expect(reader.read(9, 40, body)).toMatchObject([{ type: 'frame' }]);
    const other = pps.map((set) => Buffer.concat([set, Buffer.from([1])]));
    expect(reader.read(9, 80, withSets(...sps, ...other))).toMatchObject([{ type: 'config' }, { type: 'frame' }]);
  });

  it('widens NAL lengths of two bytes', () => {
    const reader = new FlvBodyReader();
    const narrow = Buffer.from(avcC);
    narrow[4] = 0xfd;
    expect(reader.read(9, 0, config(narrow))).toMatchObject([{ config: { record: avcC } }]);
    const body = legacy(Buffer.concat([nal(0x06, 3).subarray(2), nal(0x65, 20).subarray(2)]));
    expect(payloadOf(reader.read(9, 0, body))).toEqual(Buffer.concat([nal(0x06, 3), nal(0x65, 20)]));
  });

  it('accepts encoders that send start codes', () => {
    const reader = new FlvBodyReader();
    reader.read(9, 0, config(avcC));
    const start = Buffer.from([0, 0, 0, 1]);
    const body = legacy(Buffer.concat([start, ...sps, start, ...pps, start, nal(0x65, 20).subarray(4)]));
    expect(payloadOf(reader.read(9, 0, body))).toEqual(nal(0x65, 20));
  });

  it('refuses NAL units that run past their frame', () => {
    const reader = new FlvBodyReader();
    reader.read(9, 0, config(avcC));
    expect(() => reader.read(9, 0, legacy(Buffer.from([0, 0, 9, 9, 0x65])))).toThrow(MalformedMedia);
  });
});
