import { MalformedMedia } from '../frame.ts';
import { BitReader } from './bit-reader.ts';

export interface AacFacts {
  /** Sample rate after decoding: with SBR twice the rate of the core. */
  readonly sampleRate: number;
  readonly channels: number;
  readonly profile: string;
  /** Sample rate of the core coder, which ADTS describes. */
  readonly objectType: number;
  readonly coreSampleRate: number;
  /** Samples per frame at `sampleRate`. */
  readonly frameSamples: number;
}

export const aacSampleRates: readonly number[] = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];

const profileNames: Readonly<Record<number, string>> = {
  1: 'Main',
  2: 'LC',
  3: 'SSR',
  4: 'LTP',
  5: 'HE-AAC',
  23: 'LD',
  29: 'HE-AACv2',
  39: 'ELD',
  42: 'xHE-AAC',
};

/** Channels by channelConfiguration (ISO 14496-3 table 1.19); 0 stands for a program config element. */
const channelCounts: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8];

const sbr = 5;
const parametricStereo = 29;

/** An AudioSpecificConfig (ISO 14496-3, 1.6.2.1), with SBR and PS told openly or by the sync extension at its end. */
export function parseAudioSpecificConfig(record: Buffer): AacFacts {
  const reader = new BitReader(record);
  let objectType = readObjectType(reader);
  const coreSampleRate = readSampleRate(reader);
  const channelConfig = reader.bits(4);
  let sampleRate = coreSampleRate;
  let extension = 0;
  if (objectType === sbr || objectType === parametricStereo) {
    extension = objectType;
    sampleRate = readSampleRate(reader);
    objectType = readObjectType(reader);
  }
  let coreFrameSamples = 1024;
  let channels = channelCounts[channelConfig] ?? 0;
  if (objectType <= 4 && objectType > 0) {
    if (reader.flag()) coreFrameSamples = 960;
    if (reader.flag()) reader.skip(14);
    reader.skip(1);
    if (channelConfig === 0) channels = readProgramChannels(reader);
    const implied = extension === 0 ? readSyncExtension(reader) : undefined;
    if (implied) {
      extension = implied.extension;
      sampleRate = implied.sampleRate;
    }
  }
  if (objectType === 23 || objectType === 39) coreFrameSamples = reader.bitsLeft > 0 && reader.flag() ? 480 : 512;
  if (extension === parametricStereo) channels = 2;
  if (channels === 0) throw new MalformedMedia('channel configuration is reserved');
  return {
    sampleRate,
    channels,
    profile: profileNames[extension || objectType] ?? '',
    objectType,
    coreSampleRate,
    frameSamples: Math.round((coreFrameSamples * sampleRate) / coreSampleRate),
  };
}

/** The shortest AudioSpecificConfig for a core coder. */
export function writeAudioSpecificConfig(facts: { objectType: number; sampleRate: number; channels: number }): Buffer {
  const { objectType, sampleRate, channels } = facts;
  if (objectType < 1 || objectType > 30) throw new MalformedMedia('audio object type is out of range');
  const channelConfig = toChannelConfig(channels);
  const rateIndex = aacSampleRates.indexOf(sampleRate);
  //  objectType:5  rateIndex:4  channelConfig:4  GASpecificConfig:3
  if (rateIndex >= 0) {
    return Buffer.from([(objectType << 3) | (rateIndex >> 1), ((rateIndex & 1) << 7) | (channelConfig << 3)]);
  }
  if (sampleRate <= 0 || sampleRate > 0xffffff) throw new MalformedMedia('sample rate is out of range');
  //  objectType:5  15:4  sampleRate:24  channelConfig:4  GASpecificConfig:3
  const out = Buffer.alloc(5);
  out.writeUInt8((objectType << 3) | 7, 0);
  out.writeUInt32BE((0x80000000 | (sampleRate << 7) | (channelConfig << 3)) >>> 0, 1);
  return out;
}

export function toChannelConfig(channels: number): number {
  const index = channelCounts.indexOf(channels);
  if (channels <= 0 || index < 0) throw new MalformedMedia('channel count has no configuration');
  return index;
}

function readObjectType(reader: BitReader): number {
  const type = reader.bits(5);
  return type === 31 ? 32 + reader.bits(6) : type;
}

function readSampleRate(reader: BitReader): number {
  const index = reader.bits(4);
  const rate = index === 15 ? reader.bits(24) : (aacSampleRates[index] ?? 0);
  if (rate === 0) throw new MalformedMedia('sample rate is reserved');
  return rate;
}

/** program_config_element (ISO 14496-3, 4.4.1.1), as far as the number of channels. */
function readProgramChannels(reader: BitReader): number {
  reader.skip(4 + 2 + 4);
  const elements = reader.bits(4) + reader.bits(4) + reader.bits(4);
  const lfe = reader.bits(2);
  const associatedData = reader.bits(3);
  const couplings = reader.bits(4);
  if (reader.flag()) reader.skip(4);
  if (reader.flag()) reader.skip(4);
  if (reader.flag()) reader.skip(3);
  let channels = lfe;
  for (let index = 0; index < elements; index++) {
    channels += reader.flag() ? 2 : 1;
    reader.skip(4);
  }
  reader.skip(lfe * 4 + associatedData * 4 + couplings * 5);
  reader.alignToByte();
  reader.skip(reader.bits(8) * 8);
  return channels;
}

/** syncExtensionType 0x2b7: SBR announced where old decoders do not look (ISO 14496-3, 1.6.6.2). */
function readSyncExtension(reader: BitReader): { extension: number; sampleRate: number } | undefined {
  if (reader.bitsLeft < 17 || reader.bits(11) !== 0x2b7 || readObjectType(reader) !== sbr) return undefined;
  if (!reader.flag()) return undefined;
  const sampleRate = readSampleRate(reader);
  const hasStereo = reader.bitsLeft >= 12 && reader.bits(11) === 0x548 && reader.flag();
  return { extension: hasStereo ? parametricStereo : sbr, sampleRate };
}
