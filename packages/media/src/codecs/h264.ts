import { MalformedMedia, type VideoConfig } from '../frame.ts';
import { parseH264Sps } from './h264-sps.ts';

/** Facts from a configuration record. */
export type VideoFacts = Omit<VideoConfig, 'kind' | 'codec' | 'record'>;

interface AvcParameterSets {
  readonly sps: Buffer[];
  readonly pps: Buffer[];
  readonly nalLengthSize: number;
}

const profilesWithChroma = new Set([44, 100, 110, 118, 122, 128, 144, 244]);

/** Size, profile, level and frame rate out of an AVCDecoderConfigurationRecord. */
export function parseAvcRecord(record: Buffer): VideoFacts {
  const [sps] = avcParameterSets(record).sps;
  if (!sps) throw new MalformedMedia('avcC without a sequence parameter set');
  const { width, height, profile, level, fps } = parseH264Sps(sps);
  return { width, height, profile, level, fps };
}

/** True if the encoder announces B-frames. Some encoders send them unannounced. */
export function announcesBFrames(record: Buffer): boolean {
  return avcParameterSets(record).sps.some((sps) => parseH264Sps(sps).reorderFrames > 0);
}

/**
 * Views of the parameter sets of an avcC (ISO 14496-15, 5.3.3.1):
 *
 *     version  profile  compat  level  111111|size-1  111|count  { u16 length, sps }…  count  { u16 length, pps }…
 */
export function avcParameterSets(record: Buffer): AvcParameterSets {
  if (record.length < 7 || record[0] !== 1) throw new MalformedMedia('not an avcC record');
  const spsCount = record.readUInt8(5) & 0x1f;
  const { sets: sps, end } = readSets(record, 6, spsCount);
  if (end >= record.length) throw new MalformedMedia('avcC is cut off');
  const { sets: pps } = readSets(record, end + 1, record.readUInt8(end));
  return { sps, pps, nalLengthSize: (record.readUInt8(4) & 3) + 1 };
}

/** An avcC with 4-byte lengths out of parameter sets found in a stream. */
export function writeAvcRecord(sps: readonly Buffer[], pps: readonly Buffer[]): Buffer {
  const [first] = sps;
  if (!first || first.length < 4) throw new MalformedMedia('no usable sequence parameter set');
  if (sps.length > 31 || pps.length > 255) throw new MalformedMedia('too many parameter sets');
  const parts: Buffer[] = [Buffer.from([1, ...first.subarray(1, 4), 0xff, 0xe0 | sps.length])];
  pushSets(parts, sps);
  parts.push(Buffer.from([pps.length]));
  pushSets(parts, pps);
  if (profilesWithChroma.has(first.readUInt8(1))) {
    const facts = parseH264Sps(first);
    const depths = [0xf8 | (facts.bitDepthLuma - 8), 0xf8 | (facts.bitDepthChroma - 8)];
    parts.push(Buffer.from([0xfc | facts.chromaFormat, ...depths, 0]));
  }
  return Buffer.concat(parts);
}

function readSets(record: Buffer, from: number, count: number): { sets: Buffer[]; end: number } {
  const sets: Buffer[] = [];
  let at = from;
  for (let index = 0; index < count; index++) {
    if (at + 2 > record.length) throw new MalformedMedia('parameter set is cut off');
    const length = record.readUInt16BE(at);
    at += 2;
    if (at + length > record.length) throw new MalformedMedia('parameter set is cut off');
    if (length > 0) sets.push(record.subarray(at, at + length));
    at += length;
  }
  return { sets, end: at };
}

function pushSets(parts: Buffer[], sets: readonly Buffer[]): void {
  for (const set of sets) {
    if (set.length > 0xffff) throw new MalformedMedia('parameter set is too long');
    parts.push(Buffer.from([set.length >> 8, set.length & 0xff]), set);
  }
}
