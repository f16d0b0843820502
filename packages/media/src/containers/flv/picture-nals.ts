import { avcParameterSets, writeAvcRecord } from '../../codecs/h264.ts';
import { hevcParameterSets, writeHevcRecord } from '../../codecs/h265.ts';
import { fromAnnexB, h264NalType, h265NalType, joinNals, NalCursor } from '../../codecs/nal.ts';
import { isSameSets } from '../../same-decoder.ts';

export type NalCodec = 'h264' | 'h265';

interface PictureNals {
  /** NAL units with 4-byte lengths and no parameter sets; the very bytes that came in when these were so already. */
  readonly payload: Buffer;
  readonly parameterSets: readonly Buffer[];
}

const none: readonly Buffer[] = [];

/** Converts one picture to the canonical form, also from encoders that break the rules. */
export function readPictureNals(codec: NalCodec, payload: Buffer, lengthSize: number): PictureNals {
  // Some hardware encoders send start codes instead of lengths. Read as a length, 00 00 00 01 would be a NAL unit of
  // one byte, which no picture begins with.
  const isAnnexB = lengthSize === 4 && payload.length > 5 && payload.readUInt32BE(0) === 1;
  const bytes = isAnnexB ? fromAnnexB(payload) : payload;
  const size = isAnnexB ? 4 : lengthSize;
  let isCanonical = size === 4;
  for (const cursor = new NalCursor(bytes, size); cursor.next(); ) {
    if (isParameterSet(codec, cursor.header)) isCanonical = false;
  }
  if (isCanonical) return { payload: bytes, parameterSets: none };
  const picture: Buffer[] = [];
  const parameterSets: Buffer[] = [];
  for (const cursor = new NalCursor(bytes, size); cursor.next(); ) {
    (isParameterSet(codec, cursor.header) ? parameterSets : picture).push(cursor.view());
  }
  return { payload: joinNals(picture), parameterSets };
}

/**
 * The record these parameter sets make, or undefined when they are incomplete or say what `known` says already. An
 * encoder that changes its picture without a new sequence header is followed this way.
 */
export function changedRecord(
  codec: NalCodec,
  parameterSets: readonly Buffer[],
  known: Buffer | undefined,
): Buffer | undefined {
  const ofType = (wanted: number) => parameterSets.filter((set) => nalType(codec, set.readUInt8(0)) === wanted);
  if (codec === 'h264') {
    const [sps, pps] = [ofType(7), ofType(8)];
    if (sps.length === 0 || pps.length === 0) return undefined;
    const before = known && avcParameterSets(known);
    if (before && isSameSets([...before.sps, ...before.pps], [...sps, ...pps])) return undefined;
    return writeAvcRecord(sps, pps);
  }
  const [vps, sps, pps] = [ofType(32), ofType(33), ofType(34)];
  if (vps.length === 0 || sps.length === 0 || pps.length === 0) return undefined;
  const before = known && hevcParameterSets(known);
  if (before && isSameSets([...before.vps, ...before.sps, ...before.pps], [...vps, ...sps, ...pps])) return undefined;
  return writeHevcRecord(vps, sps, pps);
}

function isParameterSet(codec: NalCodec, header: number): boolean {
  const type = nalType(codec, header);
  return codec === 'h264' ? type === 7 || type === 8 : type >= 32 && type <= 34;
}

function nalType(codec: NalCodec, header: number): number {
  return codec === 'h264' ? h264NalType(header) : h265NalType(header);
}
