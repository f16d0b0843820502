import type { FlvKind } from './flv-codec.ts';

const tagHeaderBytes = 11;
const backPointerBytes = 4;

/** The file header and the first previous-tag-size, which is always 0. */
export function flvHeader({ hasAudio, hasVideo }: { hasAudio: boolean; hasVideo: boolean }): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.write('FLV', 0, 'latin1');
  bytes[3] = 1;
  bytes[4] = (hasAudio ? 4 : 0) | (hasVideo ? 1 : 0);
  bytes.writeUInt32BE(9, 5);
  return bytes;
}

//  kind 8 | size 24 | time, low 24 bits | time, high 8 bits | stream id 24, always 0 | body | size with header 32
export function flvTag(kind: FlvKind, timestampMs: number, body: Buffer | readonly Buffer[]): Buffer {
  const parts = Buffer.isBuffer(body) ? [body] : body;
  let length = 0;
  for (const part of parts) length += part.length;
  if (length > 0xffffff) throw new RangeError('FLV tag is too long');
  const time = Math.round(timestampMs) >>> 0;
  const bytes = Buffer.allocUnsafe(tagHeaderBytes + length + backPointerBytes);
  bytes[0] = kind;
  bytes.writeUIntBE(length, 1, 3);
  bytes.writeUIntBE(time & 0xffffff, 4, 3);
  bytes[7] = time >>> 24;
  bytes.writeUIntBE(0, 8, 3);
  let at = tagHeaderBytes;
  for (const part of parts) at += part.copy(bytes, at);
  bytes.writeUInt32BE(tagHeaderBytes + length, at);
  return bytes;
}
