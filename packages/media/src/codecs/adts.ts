import { MalformedMedia } from '../frame.ts';
import { type AacFacts, aacSampleRates, toChannelConfig, writeAudioSpecificConfig } from './aac.ts';

export const adtsHeaderBytes = 7;

interface AdtsFrames {
  /** Config of the first frame; undefined without a whole frame. */
  readonly record: Buffer | undefined;
  /** Raw frames, as views. */
  readonly frames: Buffer[];
  /** Bytes of whole frames; the rest is the start of the next frame. */
  readonly consumedBytes: number;
}

/**
 * The header before one raw frame of `frameLength` bytes (ISO 14496-3, 1.A.3.2):
 *
 *     syncword:12  id:1  layer:2  noCrc:1 | profile:2  rate:4  private:1  channels:3  copy:4
 *     length:13 | fullness:11  blocks:2
 */
export function adtsHeader(facts: AacFacts, frameLength: number): Buffer {
  const out = Buffer.allocUnsafe(adtsHeaderBytes);
  writeAdtsLength(writeAdtsFacts(out, facts), 0, frameLength);
  return out;
}

/** The part of a header that is the same for every frame of a track. */
export function writeAdtsFacts(out: Buffer, facts: AacFacts): Buffer {
  if (facts.objectType < 1 || facts.objectType > 4) throw new MalformedMedia('ADTS cannot carry this kind of AAC');
  // PS makes two channels of a mono core; ADTS describes the core.
  const coreChannels = facts.profile === 'HE-AACv2' ? 1 : facts.channels;
  const channelConfig = toChannelConfig(coreChannels);
  if (channelConfig > 7) throw new MalformedMedia('ADTS cannot carry this many channels');
  out[0] = 0xff;
  out[1] = 0xf1;
  out[2] = ((facts.objectType - 1) << 6) | (nearestRateIndex(facts.coreSampleRate) << 2) | (channelConfig >> 2);
  out[3] = (channelConfig & 3) << 6;
  out[4] = 0;
  // Buffer fullness 0x7ff: variable rate.
  out[5] = 0x1f;
  out[6] = 0xfc;
  return out;
}

/** Puts the length of a raw frame into a header at `at` whose other fields are written. */
export function writeAdtsLength(out: Buffer, at: number, frameLength: number): void {
  const length = frameLength + adtsHeaderBytes;
  if (length > 0x1fff) throw new MalformedMedia('AAC frame is too long for ADTS');
  out[at + 3] = ((out[at + 3] ?? 0) & 0xfc) | (length >> 11);
  out[at + 4] = (length >> 3) & 0xff;
  out[at + 5] = ((length & 7) << 5) | 0x1f;
}

/** Frames and their configuration out of a run of ADTS bytes; stops before a frame that is not whole. */
export function parseAdts(bytes: Buffer): AdtsFrames {
  const frames: Buffer[] = [];
  let record: Buffer | undefined;
  let at = 0;
  while (at + adtsHeaderBytes <= bytes.length) {
    if (bytes[at] !== 0xff || (bytes.readUInt8(at + 1) & 0xf6) !== 0xf0) throw new MalformedMedia('no ADTS syncword');
    const headerBytes = (bytes.readUInt8(at + 1) & 1) === 1 ? adtsHeaderBytes : adtsHeaderBytes + 2;
    const length = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
    if (length < headerBytes) throw new MalformedMedia('ADTS frame is shorter than its header');
    if ((bytes.readUInt8(at + 6) & 3) !== 0) throw new MalformedMedia('ADTS frame of several blocks');
    if (at + length > bytes.length) break;
    record ??= recordOfHeader(bytes, at);
    if (length > headerBytes) frames.push(bytes.subarray(at + headerBytes, at + length));
    at += length;
  }
  return { record, frames, consumedBytes: at };
}

function recordOfHeader(bytes: Buffer, at: number): Buffer {
  const sampleRate = aacSampleRates[(bytes.readUInt8(at + 2) >> 2) & 0xf];
  if (!sampleRate) throw new MalformedMedia('ADTS sample rate is reserved');
  const channelConfig = (bytes.readUInt16BE(at + 2) >> 6) & 7;
  // 0 leaves the layout to an element in the frame, which broadcasters use for two languages: two channels.
  const channels = channelConfig === 7 ? 8 : channelConfig || 2;
  return writeAudioSpecificConfig({ objectType: (bytes.readUInt8(at + 2) >> 6) + 1, sampleRate, channels });
}

/** A rate outside the table is decoded with the tables of its nearest neighbour (ISO 14496-3 table 4.82). */
function nearestRateIndex(sampleRate: number): number {
  let best = 0;
  for (let index = 1; index < aacSampleRates.length; index++) {
    const distance = Math.abs((aacSampleRates[index] ?? 0) - sampleRate);
    if (distance < Math.abs((aacSampleRates[best] ?? 0) - sampleRate)) best = index;
  }
  return best;
}
