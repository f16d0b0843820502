import { MalformedMedia, type VideoConfig } from '../frame.ts';
import { BitReader } from './bit-reader.ts';

/** Version 1 and flags 0, which vpcC begins with in files (VP codec ISO binding). */
const fullBox = Buffer.from([1, 0, 0, 0]);

/**
 * The record as files carry it. ffmpeg sends that form over enhanced RTMP as well; the text of the standard names the record
 * alone, which other publishers send. No record begins like a full box: it would have a depth of 0 bits.
 */
export function toVp9Record(sent: Buffer): Buffer {
  return sent.subarray(0, 4).equals(fullBox) ? sent : Buffer.concat([fullBox, sent]);
}

/** A vpcC out of the header of a keyframe (VP9 bitstream, 6.2). */
export function toVp9Config(picture: Buffer): VideoConfig {
  const reader = new BitReader(picture);
  if (reader.bits(2) !== 2) throw new MalformedMedia('not a VP9 picture');
  const profile = reader.bits(1) + reader.bits(1) * 2;
  if (profile === 3) reader.skip(1);
  // show_existing_frame, frame_type 0, then show_frame and error_resilient_mode.
  if (reader.bits(2) !== 0) throw new MalformedMedia('not a VP9 keyframe');
  reader.skip(2);
  if (reader.bits(24) !== 0x498342) throw new MalformedMedia('not a VP9 keyframe');
  const depth = profile >= 2 ? (reader.flag() ? 12 : 10) : 8;
  const isRgb = reader.bits(3) === 7;
  const isFullRange = isRgb || reader.flag();
  if (profile === 1 || profile === 3) reader.skip(isRgb ? 1 : 3);
  const width = reader.bits(16) + 1;
  const height = reader.bits(16) + 1;
  const record = Buffer.from([1, 0, 0, 0, profile, 10, (depth << 4) | (1 << 1) | (isFullRange ? 1 : 0), 2, 2, 2, 0, 0]);
  return { kind: 'video', codec: 'vp9', record, width, height, profile: `Profile ${profile}`, level: '', fps: 0 };
}
