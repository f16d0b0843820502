import type { MediaFrame } from '../frame.ts';

/** Opus says digital silence in three bytes, and less where it sends nothing. */
const opusSilenceBytes = 3;
/** A pair of channels of AAC without any spectrum takes six bytes; what an encoder may add beside them is little. */
const aacSilenceBytes = 12;

/**
 * True if the first bytes of a frame show that it holds digital silence. Quiet audio is not silent; unknown for MP3.
 */
export function isSilentAudio(codec: MediaFrame['codec'], payload: Buffer): boolean {
  if (codec === 'opus') return payload.length <= opusSilenceBytes;
  if (codec !== 'aac') return false;
  return payload.length <= aacSilenceBytes || hasNoSpectrum(payload);
}

/**
 * ISO 14496-3, 4.4.2: the first element is one channel (0) or two with a common window (1), and tells the number of its scale
 * factor bands. Without one there is no spectrum, whatever filling follows to keep the bitrate.
 *
 *   one   id:3 tag:4 gain:8 reserved:1 sequence:2 shape:1 bands:6      two   id:3 tag:4 common:1 reserved:1 sequence:2 shape:1 bands:6
 */
function hasNoSpectrum(payload: Buffer): boolean {
  const head = payload.readUInt32BE(0);
  const element = head >>> 29;
  const at = element === 0 ? 16 : element === 1 && (head >>> 24) % 2 === 1 ? 9 : -1;
  if (at < 0) return false;
  const isShort = ((head >>> (30 - at)) & 3) === 2;
  // Eight short windows have four bits for their bands.
  const bands = (head >>> (23 - at)) & 0x3f;
  return (isShort ? bands >>> 2 : bands) === 0;
}
