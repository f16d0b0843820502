import { MalformedMedia } from '../frame.ts';
import { BitReader, withoutEmulationPrevention } from './bit-reader.ts';
import type { SpsFacts } from './sps-facts.ts';

interface H264Sps extends SpsFacts {
  /**
   * Reorder depth: frames that may be output before one that was decoded earlier; 0 also where the encoder does not
   * say.
   */
  readonly reorderFrames: number;
}

/** Longest side of level 6.2; larger sizes are refused. */
export const maxPictureSide = 16_384;

const profileNames: Readonly<Record<number, string>> = {
  44: 'CAVLC 4:4:4',
  66: 'Baseline',
  77: 'Main',
  88: 'Extended',
  100: 'High',
  110: 'High 10',
  118: 'Multiview High',
  122: 'High 4:2:2',
  128: 'Stereo High',
  144: 'High 4:4:4',
  244: 'High 4:4:4 Predictive',
};

/** The profiles whose SPS carries chroma format, bit depths and scaling lists (H.264 7.3.2.1.1). */
const highProfiles = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 144, 244]);

/** Parses a sequence parameter set that starts with its NAL header (H.264 7.3.2.1.1). */
export function parseH264Sps(nal: Buffer): H264Sps {
  if (nal.length < 4 || (nal.readUInt8(0) & 0x1f) !== 7) throw new MalformedMedia('not a sequence parameter set');
  const reader = new BitReader(withoutEmulationPrevention(nal));
  reader.skip(8);
  const profileIdc = reader.bits(8);
  const constraints = reader.bits(8);
  const levelIdc = reader.bits(8);
  reader.unsignedGolomb();

  const chroma = highProfiles.has(profileIdc) ? readChroma(reader) : { format: 1, luma: 8, chroma: 8, separate: false };
  reader.unsignedGolomb(); // log2_max_frame_num_minus4
  skipPictureOrderCount(reader);
  reader.unsignedGolomb(); // max_num_ref_frames
  reader.skip(1);
  const widthInMbs = reader.unsignedGolomb() + 1;
  const heightInMapUnits = reader.unsignedGolomb() + 1;
  const isFrameOnly = reader.flag();
  if (!isFrameOnly) reader.skip(1);
  reader.skip(1); // direct_8x8_inference_flag

  const fieldFactor = isFrameOnly ? 1 : 2;
  let width = widthInMbs * 16;
  let height = heightInMapUnits * 16 * fieldFactor;
  if (reader.flag()) {
    // H.264 7.4.2.1.1: cropping counts in chroma samples, and in field lines when fields are allowed.
    const hasSubsampledChroma = !chroma.separate && chroma.format > 0;
    const unitX = hasSubsampledChroma && chroma.format < 3 ? 2 : 1;
    const unitY = (hasSubsampledChroma && chroma.format === 1 ? 2 : 1) * fieldFactor;
    width -= unitX * (reader.unsignedGolomb() + reader.unsignedGolomb());
    height -= unitY * (reader.unsignedGolomb() + reader.unsignedGolomb());
  }
  if (width <= 0 || height <= 0 || width > maxPictureSide || height > maxPictureSide) {
    throw new MalformedMedia('picture size is out of range');
  }
  const fps = zeroIfGarbled(() => (reader.flag() ? readVuiFps(reader) : 0));
  const reorderFrames = zeroIfGarbled(() => (reader.bitsLeft > 8 ? readVuiReorderFrames(reader) : 0));
  return {
    width,
    height,
    profile: profileName(profileIdc, constraints),
    level: levelName(profileIdc, constraints, levelIdc),
    fps,
    reorderFrames,
    chromaFormat: chroma.format,
    bitDepthLuma: chroma.luma,
    bitDepthChroma: chroma.chroma,
  };
}

function readChroma(reader: BitReader) {
  const format = reader.unsignedGolomb();
  const separate = format === 3 && reader.flag();
  const luma = reader.unsignedGolomb() + 8;
  const chroma = reader.unsignedGolomb() + 8;
  if (format > 3 || luma > 14 || chroma > 14) throw new MalformedMedia('chroma format is out of range');
  reader.skip(1); // qpprime_y_zero_transform_bypass_flag
  if (reader.flag()) {
    const listCount = format === 3 ? 12 : 8;
    for (let list = 0; list < listCount; list++) if (reader.flag()) skipScalingList(reader, list < 6 ? 16 : 64);
  }
  return { format, luma, chroma, separate };
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  for (let index = 0; index < size; index++) {
    const next = (last + reader.signedGolomb() + 256) % 256;
    if (next === 0) return;
    last = next;
  }
}

function skipPictureOrderCount(reader: BitReader): void {
  const type = reader.unsignedGolomb();
  if (type === 0) reader.unsignedGolomb();
  if (type !== 1) return;
  reader.skip(1);
  reader.signedGolomb();
  reader.signedGolomb();
  const cycle = reader.unsignedGolomb();
  if (cycle > 255) throw new MalformedMedia('picture order count cycle is out of range');
  for (let index = 0; index < cycle; index++) reader.signedGolomb();
}

/** Skips the start of the VUI, which is the same in H.264 (E.1.1) and H.265 (E.2.1): aspect, overscan, colours, chroma. */
export function skipDisplayHints(reader: BitReader): void {
  const isExtendedAspect = reader.flag() && reader.bits(8) === 255;
  if (isExtendedAspect) reader.skip(32);
  if (reader.flag()) reader.skip(1);
  if (reader.flag()) {
    reader.skip(4);
    if (reader.flag()) reader.skip(24);
  }
  if (reader.flag()) {
    reader.unsignedGolomb();
    reader.unsignedGolomb();
  }
}

/** Reads the VUI up to its timing (H.264 E.1.1). A field lasts one tick, so a frame lasts two. */
function readVuiFps(reader: BitReader): number {
  skipDisplayHints(reader);
  if (!reader.flag()) return 0;
  const unitsInTick = reader.bits(32);
  const timeScale = reader.bits(32);
  reader.skip(1); // fixed_frame_rate_flag
  return frameRate(timeScale, unitsInTick * 2);
}

/** Reads the VUI after its timing (H.264 E.1.1): buffering models, then the limits the encoder promises to keep. */
function readVuiReorderFrames(reader: BitReader): number {
  const hasNalBuffer = reader.flag();
  if (hasNalBuffer) skipBufferModel(reader);
  const hasVclBuffer = reader.flag();
  if (hasVclBuffer) skipBufferModel(reader);
  if (hasNalBuffer || hasVclBuffer) reader.skip(1);
  reader.skip(1); // pic_struct_present_flag
  if (!reader.flag()) return 0;
  reader.skip(1); // motion_vectors_over_pic_boundaries_flag
  for (let field = 0; field < 4; field++) reader.unsignedGolomb();
  return reader.unsignedGolomb();
}

/** hrd_parameters, H.264 E.1.2. */
function skipBufferModel(reader: BitReader): void {
  const count = reader.unsignedGolomb() + 1;
  if (count > 32) throw new MalformedMedia('too many buffer models');
  reader.skip(8);
  for (let index = 0; index < count; index++) {
    reader.unsignedGolomb();
    reader.unsignedGolomb();
    reader.skip(1);
  }
  reader.skip(20);
}

/** Returns 0 if the VUI is cut off or garbled, as some cameras send it: their video can be decoded without it. */
export function zeroIfGarbled(read: () => number): number {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
    return 0;
  }
}

/** Frame rate rounded to three decimals; 0 if the numbers cannot be a frame rate. */
export function frameRate(timeScale: number, unitsPerFrame: number): number {
  const fps = unitsPerFrame > 0 ? timeScale / unitsPerFrame : 0;
  return fps <= 1000 ? Math.round(fps * 1000) / 1000 : 0;
}

function profileName(idc: number, constraints: number): string {
  if (idc === 66 && (constraints & 0x40) !== 0) return 'Constrained Baseline';
  const name = profileNames[idc] ?? '';
  const isIntra = (constraints & 0x10) !== 0 && (idc === 110 || idc === 122 || idc === 244);
  if (!isIntra) return name;
  return idc === 244 ? 'High 4:4:4 Intra' : `${name} Intra`;
}

function levelName(profileIdc: number, constraints: number, levelIdc: number): string {
  const isBeforeHigh = profileIdc === 66 || profileIdc === 77 || profileIdc === 88;
  if (levelIdc === 9 || (levelIdc === 11 && isBeforeHigh && (constraints & 0x10) !== 0)) return '1b';
  return String(levelIdc / 10);
}
