import { MalformedMedia } from '../frame.ts';
import { BitReader, withoutEmulationPrevention } from './bit-reader.ts';
import { frameRate, maxPictureSide, skipDisplayHints, zeroIfGarbled } from './h264-sps.ts';
import type { SpsFacts } from './sps-facts.ts';

interface H265Sps extends SpsFacts {
  readonly temporalLayers: number;
  readonly isTemporalIdNested: boolean;
  /** The 12 bytes from general_profile_space to general_level_idc, as hvcC repeats them. */
  readonly profileTierLevel: Buffer;
}

const profileNames: Readonly<Record<number, string>> = {
  1: 'Main',
  2: 'Main 10',
  3: 'Main Still Picture',
  4: 'Rext',
};

/** A sequence parameter set with its two header bytes (H.265 7.3.2.2.1). */
export function parseH265Sps(nal: Buffer): H265Sps {
  if (nal.length < 16 || ((nal.readUInt8(0) >> 1) & 0x3f) !== 33) {
    throw new MalformedMedia('not a sequence parameter set');
  }
  const rbsp = withoutEmulationPrevention(nal);
  if (rbsp.length < 15) throw new MalformedMedia('sequence parameter set is cut off');
  const reader = new BitReader(rbsp);
  reader.skip(16 + 4);
  const subLayers = reader.bits(3);
  const isTemporalIdNested = reader.flag();
  const profileTierLevel = rbsp.subarray(3, 15);
  reader.skip(96);
  skipSubLayers(reader, subLayers);
  reader.unsignedGolomb();
  const chromaFormat = reader.unsignedGolomb();
  if (chromaFormat > 3) throw new MalformedMedia('chroma format is out of range');
  const hasSeparatePlanes = chromaFormat === 3 && reader.flag();
  let width = reader.unsignedGolomb();
  let height = reader.unsignedGolomb();
  if (reader.flag()) {
    const unitX = !hasSeparatePlanes && (chromaFormat === 1 || chromaFormat === 2) ? 2 : 1;
    const unitY = !hasSeparatePlanes && chromaFormat === 1 ? 2 : 1;
    width -= unitX * (reader.unsignedGolomb() + reader.unsignedGolomb());
    height -= unitY * (reader.unsignedGolomb() + reader.unsignedGolomb());
  }
  if (width <= 0 || height <= 0 || width > maxPictureSide || height > maxPictureSide) {
    throw new MalformedMedia('picture size is out of range');
  }
  const bitDepthLuma = reader.unsignedGolomb() + 8;
  const bitDepthChroma = reader.unsignedGolomb() + 8;
  if (bitDepthLuma > 15 || bitDepthChroma > 15) throw new MalformedMedia('bit depth is out of range');
  return {
    width,
    height,
    profile: profileNames[profileTierLevel.readUInt8(0) & 0x1f] ?? '',
    level: String(Math.round(profileTierLevel.readUInt8(11) / 3) / 10),
    fps: zeroIfGarbled(() => readFps(reader, subLayers)),
    chromaFormat,
    bitDepthLuma,
    bitDepthChroma,
    temporalLayers: subLayers + 1,
    isTemporalIdNested,
    profileTierLevel,
  };
}

/** The sub-layer part of profile_tier_level (H.265 7.3.3). */
function skipSubLayers(reader: BitReader, subLayers: number): void {
  if (subLayers === 0) return;
  const present = reader.bits(16);
  for (let layer = 0; layer < subLayers; layer++) {
    const flags = present >> (14 - layer * 2);
    if ((flags & 2) !== 0) reader.skip(88);
    if ((flags & 1) !== 0) reader.skip(8);
  }
}

/** The fields between bit depths and timing have variable lengths and must be parsed to reach the frame rate. */
function readFps(reader: BitReader, subLayers: number): number {
  const pocBits = reader.unsignedGolomb() + 4;
  const layersWithOrdering = reader.flag() ? subLayers + 1 : 1;
  for (let index = 0; index < layersWithOrdering * 3; index++) reader.unsignedGolomb();
  for (let index = 0; index < 6; index++) reader.unsignedGolomb(); // block and transform sizes
  if (reader.flag() && reader.flag()) skipScalingLists(reader);
  reader.skip(2); // amp, sample adaptive offset
  if (reader.flag()) {
    reader.skip(8); // pcm bit depths
    reader.unsignedGolomb();
    reader.unsignedGolomb();
    reader.skip(1);
  }
  skipReferencePictureSets(reader);
  if (reader.flag()) {
    const longTerm = reader.unsignedGolomb();
    if (longTerm > 32) throw new MalformedMedia('too many long-term pictures');
    reader.skip(longTerm * (pocBits + 1));
  }
  reader.skip(2); // temporal mvp, strong intra smoothing
  return reader.flag() ? readVuiFps(reader) : 0;
}

/** H.265 7.3.4. */
function skipScalingLists(reader: BitReader): void {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!reader.flag()) {
        reader.unsignedGolomb();
        continue;
      }
      if (size > 1) reader.signedGolomb();
      const coefficients = Math.min(64, 1 << (4 + (size << 1)));
      for (let index = 0; index < coefficients; index++) reader.signedGolomb();
    }
  }
}

/** st_ref_pic_set, H.265 7.3.7: each set may be told as a difference to the one before it. */
function skipReferencePictureSets(reader: BitReader): void {
  const count = reader.unsignedGolomb();
  if (count > 64) throw new MalformedMedia('too many reference picture sets');
  let previousPictures = 0;
  for (let index = 0; index < count; index++) {
    if (index > 0 && reader.flag()) {
      reader.skip(1);
      reader.unsignedGolomb();
      let pictures = 0;
      for (let picture = 0; picture <= previousPictures; picture++) {
        const isUsed = reader.flag();
        if (isUsed || reader.flag()) pictures += 1;
      }
      previousPictures = pictures;
    } else {
      const pictures = reader.unsignedGolomb() + reader.unsignedGolomb();
      if (pictures > 32) throw new MalformedMedia('too many reference pictures');
      for (let picture = 0; picture < pictures; picture++) {
        reader.unsignedGolomb();
        reader.skip(1);
      }
      previousPictures = pictures;
    }
  }
}

/** H.265 E.2.1, as far as the timing. Unlike in H.264 a tick is a whole picture. */
function readVuiFps(reader: BitReader): number {
  skipDisplayHints(reader);
  reader.skip(3); // neutral chroma, field sequence, frame field info
  if (reader.flag()) for (let edge = 0; edge < 4; edge++) reader.unsignedGolomb();
  if (!reader.flag()) return 0;
  const unitsInTick = reader.bits(32);
  return frameRate(reader.bits(32), unitsInTick);
}
