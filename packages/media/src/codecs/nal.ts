import { MalformedMedia } from '../frame.ts';

/** A larger frame is an attack, not video. */
export const maxPictureBytes = 8 * 1024 * 1024;

const startCode = Buffer.from([0, 0, 0, 1]);
const shortStartCode = startCode.subarray(1);

/**
 * Walks NAL units with length prefixes without allocating:
 * `for (const cursor = new NalCursor(payload); cursor.next(); ) use(cursor.start, cursor.end)`.
 */
export class NalCursor {
  /** Current NAL unit: offset of its header byte, and one past its last byte. */
  start = 0;
  end = 0;
  readonly #bytes: Buffer;
  readonly #lengthSize: number;

  constructor(bytes: Buffer, lengthSize = 4) {
    this.#bytes = bytes;
    this.#lengthSize = lengthSize;
  }

  /** False at the end. Empty NAL units are stepped over: some encoders pad with them. */
  next(): boolean {
    const bytes = this.#bytes;
    while (this.end < bytes.length) {
      const start = this.end + this.#lengthSize;
      if (start > bytes.length) throw new MalformedMedia('NAL length is cut off');
      const length = bytes.readUIntBE(this.end, this.#lengthSize);
      if (length > bytes.length - start) throw new MalformedMedia('NAL unit runs past its picture');
      this.start = start;
      this.end = start + length;
      if (length > 0) return true;
    }
    return false;
  }

  /** The header byte of the current NAL unit. */
  get header(): number {
    return this.#bytes[this.start] ?? 0;
  }

  /** A view of the current NAL unit. */
  view(): Buffer {
    return this.#bytes.subarray(this.start, this.end);
  }
}

/** NAL units with 4-byte lengths → start codes, the parameter sets first. */
export function toAnnexB(payload: Buffer, parameterSets: readonly Buffer[] = []): Buffer {
  let length = payload.length;
  for (const set of parameterSets) length += startCode.length + set.length;
  const out = Buffer.allocUnsafe(length);
  let at = 0;
  for (const set of parameterSets) {
    at += startCode.copy(out, at);
    at += set.copy(out, at);
  }
  payload.copy(out, at);
  // A start code takes exactly the room of the length it replaces.
  for (const cursor = new NalCursor(payload); cursor.next(); ) out.writeUInt32BE(1, at + cursor.start - 4);
  return out;
}

/** Views of the NAL units between 3- and 4-byte start codes (H.264 annex B); bytes before the first are dropped. */
export function splitAnnexB(bytes: Buffer): Buffer[] {
  const nals: Buffer[] = [];
  let start = -1;
  let at = bytes.indexOf(shortStartCode);
  while (at >= 0) {
    if (start >= 0) addNal(nals, bytes, start, at);
    start = at + 3;
    at = bytes.indexOf(shortStartCode, start);
  }
  if (start >= 0) addNal(nals, bytes, start, bytes.length);
  return nals;
}

/** Start codes → NAL units with 4-byte lengths. */
export function fromAnnexB(bytes: Buffer): Buffer {
  return joinNals(splitAnnexB(bytes));
}

export function joinNals(nals: readonly Buffer[]): Buffer {
  let length = 0;
  for (const nal of nals) length += 4 + nal.length;
  if (length > maxPictureBytes) throw new MalformedMedia('picture is too large');
  const out = Buffer.allocUnsafe(length);
  let at = 0;
  for (const nal of nals) {
    at = out.writeUInt32BE(nal.length, at);
    at += nal.copy(out, at);
  }
  return out;
}

export function h264NalType(header: number): number {
  return header & 0x1f;
}

export function h265NalType(header: number): number {
  return (header >> 1) & 0x3f;
}

/** An instantaneous decoding refresh picture (H.264 table 7-1). */
export function isH264Idr(header: number): boolean {
  return h264NalType(header) === 5;
}

/**
 * A recovery point message that lets a decoder start at once (H.264 D.1.8): encoders with open groups of pictures send
 * no other kind of keyframe. `ff…` bytes add 255 to a type or size; recovery_frame_cnt 0 is the single bit 1.
 */
export function isH264RecoveryPoint(nal: Buffer): boolean {
  if (h264NalType(nal[0] ?? 0) !== 6) return false;
  let at = 1;
  while (at + 2 < nal.length) {
    let type = 0;
    let size = 0;
    for (; nal[at] === 0xff; at++) type += 255;
    type += nal[at++] ?? 0;
    for (; nal[at] === 0xff; at++) size += 255;
    size += nal[at++] ?? 0;
    if (type === 6) return ((nal[at] ?? 0) & 0x80) !== 0;
    at += size;
  }
  return false;
}

/** Any intra random access picture: BLA, IDR or CRA (H.265 table 7-1). */
export function isH265Irap(header: number): boolean {
  const type = h265NalType(header);
  return type >= 16 && type <= 21;
}

function addNal(nals: Buffer[], bytes: Buffer, start: number, limit: number): void {
  let end = limit;
  // trailing_zero_8bits, and the first byte of a 4-byte start code; a NAL unit itself never ends in zero.
  while (end > start && bytes[end - 1] === 0) end -= 1;
  if (end > start) nals.push(bytes.subarray(start, end));
}
