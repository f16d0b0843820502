import { MalformedMedia } from '../frame.ts';
import type { VideoFacts } from './h264.ts';
import { parseH265Sps } from './h265-sps.ts';

interface HevcParameterSets {
  readonly vps: Buffer[];
  readonly sps: Buffer[];
  readonly pps: Buffer[];
  readonly nalLengthSize: number;
}

const vpsType = 32;
const spsType = 33;
const ppsType = 34;
const headerBytes = 23;

/** Size, profile, level and frame rate out of an HEVCDecoderConfigurationRecord. */
export function parseHevcRecord(record: Buffer): VideoFacts {
  const [sps] = hevcParameterSets(record).sps;
  if (!sps) throw new MalformedMedia('hvcC without a sequence parameter set');
  const { width, height, profile, level, fps } = parseH265Sps(sps);
  return { width, height, profile, level, fps };
}

/**
 * Views of the parameter sets of an hvcC (ISO 14496-15, 8.3.3.1.2):
 *
 *     22 bytes of facts, ending in lengthSize-1  arrays  { complete|0|type  u16 count  { u16 length, nal }… }…
 */
export function hevcParameterSets(record: Buffer): HevcParameterSets {
  // Version 0 is written by encoders from before the standard was final.
  if (record.length < headerBytes || record.readUInt8(0) > 1) throw new MalformedMedia('not an hvcC record');
  const sets: HevcParameterSets = { vps: [], sps: [], pps: [], nalLengthSize: (record.readUInt8(21) & 3) + 1 };
  let at = headerBytes;
  for (let arrays = record.readUInt8(22); arrays > 0; arrays--) {
    if (at + 3 > record.length) throw new MalformedMedia('hvcC is cut off');
    const type = record.readUInt8(at) & 0x3f;
    const count = record.readUInt16BE(at + 1);
    at += 3;
    for (let index = 0; index < count; index++) {
      if (at + 2 > record.length) throw new MalformedMedia('hvcC is cut off');
      const end = at + 2 + record.readUInt16BE(at);
      if (end > record.length) throw new MalformedMedia('parameter set is cut off');
      if (end > at + 2) listOf(sets, type)?.push(record.subarray(at + 2, end));
      at = end;
    }
  }
  return sets;
}

/** An hvcC with 4-byte lengths out of parameter sets found in a stream. */
export function writeHevcRecord(vps: readonly Buffer[], sps: readonly Buffer[], pps: readonly Buffer[]): Buffer {
  const [first] = sps;
  if (!first) throw new MalformedMedia('no sequence parameter set');
  const facts = parseH265Sps(first);
  const header = Buffer.alloc(headerBytes);
  header[0] = 1;
  facts.profileTierLevel.copy(header, 1);
  header.writeUInt16BE(0xf000, 13); // min_spatial_segmentation_idc: not known
  header[15] = 0xfc; // parallelismType: not known
  header[16] = 0xfc | facts.chromaFormat;
  header[17] = 0xf8 | (facts.bitDepthLuma - 8);
  header[18] = 0xf8 | (facts.bitDepthChroma - 8);
  header[21] = (facts.temporalLayers << 3) | (facts.isTemporalIdNested ? 4 : 0) | 3;
  const parts: Buffer[] = [header];
  for (const [type, list] of [
    [vpsType, vps],
    [spsType, sps],
    [ppsType, pps],
  ] as const) {
    if (list.length === 0) continue;
    header[22] = (header[22] ?? 0) + 1;
    // array_completeness, which 'hvc1' asks for: all sets are here and none in the samples.
    parts.push(Buffer.from([0x80 | type, list.length >> 8, list.length & 0xff]));
    for (const set of list) {
      if (set.length > 0xffff) throw new MalformedMedia('parameter set is too long');
      parts.push(Buffer.from([set.length >> 8, set.length & 0xff]), set);
    }
  }
  return Buffer.concat(parts);
}

function listOf(sets: HevcParameterSets, type: number): Buffer[] | undefined {
  if (type === vpsType) return sets.vps;
  if (type === spsType) return sets.sps;
  return type === ppsType ? sets.pps : undefined;
}
