import { parseOpusHead, writeOpusHead } from '../../codecs/opus.ts';
import type { AudioConfig, VideoConfig } from '../../frame.ts';
import { box, fullBox, u8, u16, u32 } from './boxes.ts';

/** Sample entry and configuration box by codec. With 'hvc1' all parameter sets are in the configuration. */
const videoBoxes = {
  h264: { entry: 'avc1', record: 'avcC' },
  h265: { entry: 'hvc1', record: 'hvcC' },
  av1: { entry: 'av01', record: 'av1C' },
  vp9: { entry: 'vp09', record: 'vpcC' },
} as const;

/** VisualSampleEntry (ISO 14496-12, 12.1.3). */
export function videoSampleEntry(config: VideoConfig): Buffer {
  const { entry, record } = videoBoxes[config.codec];
  return box(
    entry,
    Buffer.alloc(6),
    u16(1), // data_reference_index
    Buffer.alloc(16),
    u16(config.width, config.height),
    u32(0x00480000, 0x00480000, 0), // 72 dpi
    u16(1), // frame_count
    Buffer.alloc(32), // compressorname
    u16(0x0018, 0xffff), // depth, pre_defined
    box(record, config.record),
  );
}

/** AudioSampleEntry (ISO 14496-12, 12.2.3). */
export function audioSampleEntry(config: AudioConfig): Buffer {
  // 16.16 fixed point has no room for 88.2 kHz and more; the decoder reads the rate from its own configuration.
  const rate = config.sampleRate <= 0xffff ? config.sampleRate * 0x10000 : 0;
  const head = [Buffer.alloc(6), u16(1), Buffer.alloc(8), u16(config.channels, 16, 0, 0), u32(rate)];
  return config.codec === 'opus'
    ? box('Opus', ...head, opusBox(config))
    : box('mp4a', ...head, elementaryStream(config));
}

/** 'dOps' (Opus in ISOBMFF, 4.3.2) is OpusHead in big-endian, without its magic and with version 0. */
function opusBox(config: AudioConfig): Buffer {
  const head = config.record.length > 0 ? config.record : writeOpusHead(config.channels);
  const { channels, preSkipSamples } = parseOpusHead(head);
  const facts = [u8(0, channels), u16(preSkipSamples), u32(head.readUInt32LE(12)), u16(head.readInt16LE(16))];
  return box('dOps', ...facts, head.subarray(18));
}

/** 'esds' (ISO 14496-14, 5.6) with the descriptors of ISO 14496-1, 7.2.6. */
function elementaryStream(config: AudioConfig): Buffer {
  const specific = config.codec === 'aac' ? descriptor(0x05, config.record) : Buffer.alloc(0);
  // streamType 5 is audio, its lowest bit reserved. Buffer size and bitrates are zero, because players ignore them.
  const decoder = descriptor(0x04, u8(objectTypeOf(config), 0x15, 0, 0, 0), u32(0, 0), specific);
  return fullBox('esds', 0, 0, descriptor(0x03, u16(0), u8(0), decoder, descriptor(0x06, u8(2))));
}

/** objectTypeIndication: MPEG-4 audio, or MPEG-1 and (for the rates below 32 kHz) MPEG-2 layer III. */
function objectTypeOf(config: AudioConfig): number {
  if (config.codec === 'aac') return 0x40;
  return config.sampleRate < 32_000 ? 0x69 : 0x6b;
}

/** Tag and a length in four bytes of 7 bits, which is the form every parser knows. */
function descriptor(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  return Buffer.concat([u8(tag, 0x80, 0x80 | (length >> 14), 0x80 | ((length >> 7) & 0x7f), length & 0x7f), body]);
}
