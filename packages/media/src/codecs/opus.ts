import { MalformedMedia } from '../frame.ts';

interface OpusFacts {
  /** Always 48 kHz: the rate in the header is only that of the recording (RFC 7845, 5.1). */
  readonly sampleRate: number;
  readonly channels: number;
  readonly preSkipSamples: number;
}

export const opusSampleRate = 48_000;

const magic = Buffer.from('OpusHead', 'latin1');

/** Opus plays 2.5 to 120 ms per packet; a longer one is refused by every decoder (RFC 6716, 3.2.5). */
const maxPacketSamples = 5760;

/**
 * An OpusHead (RFC 7845, 5.1), little-endian:
 *
 *     'OpusHead'  version:8  channels:8  preSkip:16  inputRate:32  gain:16  family:8 …
 */
export function parseOpusHead(record: Buffer): OpusFacts {
  if (record.length < 19 || record.compare(magic, 0, 8, 0, 8) !== 0) throw new MalformedMedia('not an OpusHead');
  // The high half of the version is the incompatible part.
  if (record.readUInt8(8) >> 4 !== 0) throw new MalformedMedia('OpusHead of an unknown version');
  const channels = record.readUInt8(9);
  if (channels === 0) throw new MalformedMedia('OpusHead without channels');
  if (record.readUInt8(18) !== 0 && record.length < 21 + channels) throw new MalformedMedia('OpusHead is cut off');
  return { sampleRate: opusSampleRate, channels, preSkipSamples: record.readUInt16LE(10) };
}

/**
 * Streams, coupled streams and channel order of mapping family 1, the Vorbis layouts from 1 to 8 channels
 * (RFC 7845, 5.1.1.2).
 */
const vorbisLayouts: readonly (readonly number[])[] = [
  [1, 0, 0],
  [1, 1, 0, 1],
  [2, 1, 0, 2, 1],
  [2, 2, 0, 1, 2, 3],
  [3, 2, 0, 4, 1, 2, 3],
  [4, 2, 0, 4, 1, 2, 3, 5],
  [4, 3, 0, 4, 1, 2, 3, 5, 6],
  [5, 3, 0, 6, 1, 2, 3, 4, 5, 7],
];

/** An OpusHead for 1 to 8 channels; more than stereo takes a channel mapping along. */
export function writeOpusHead(channels: number, preSkipSamples = 312): Buffer {
  const layout = vorbisLayouts[channels - 1];
  if (!layout) throw new MalformedMedia('Opus has no layout for this many channels');
  const head = Buffer.alloc(19);
  magic.copy(head);
  head[8] = 1;
  head[9] = channels;
  head.writeUInt16LE(preSkipSamples, 10);
  head.writeUInt32LE(opusSampleRate, 12);
  if (channels <= 2) return head;
  head[18] = 1;
  return Buffer.concat([head, Buffer.from(layout)]);
}

/** Samples at 48 kHz in one packet, from its first bytes (RFC 6716, 3.1). */
export function opusPacketSamples(packet: Buffer): number {
  const toc = packet[0];
  if (toc === undefined) throw new MalformedMedia('empty Opus packet');
  const config = toc >> 3;
  let samples = 120 << (config & 3);
  if (config < 12) samples = (config & 3) === 3 ? 2880 : 480 << (config & 3);
  else if (config < 16) samples = 480 << (config & 1);
  const code = toc & 3;
  const frames = code === 0 ? 1 : code === 3 ? (packet[1] ?? 0) & 0x3f : 2;
  if (frames === 0 || frames * samples > maxPacketSamples) throw new MalformedMedia('Opus packet is too long');
  return frames * samples;
}
