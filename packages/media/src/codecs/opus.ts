import { MalformedMedia } from '../frame.ts';

export interface OpusFacts {
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

/** An OpusHead of mapping family 0: mono or stereo. */
export function opusHeadOf(channels: number, preSkipSamples = 312): Buffer {
  if (channels !== 1 && channels !== 2) throw new MalformedMedia('more than stereo needs a channel mapping');
  const out = Buffer.alloc(19);
  magic.copy(out);
  out[8] = 1;
  out[9] = channels;
  out.writeUInt16LE(preSkipSamples, 10);
  out.writeUInt32LE(opusSampleRate, 12);
  return out;
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
