import { MalformedMedia } from '../../frame.ts';

/** Box with its type and a view of its content. */
export interface Mp4Box {
  readonly type: string;
  readonly content: Buffer;
}

/** The boxes that follow each other in `bytes` (ISO 14496-12, 4.2). */
export function readBoxes(bytes: Buffer): Mp4Box[] {
  const boxes: Mp4Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    // Some writers end a list with a zero.
    if (bytes.length - at === 4 && bytes.readUInt32BE(at) === 0) break;
    const { type, size, headerBytes } = readBoxHeader(bytes, at);
    const end = at + (size === 0 ? bytes.length - at : size);
    if (end < at + headerBytes || end > bytes.length) throw new MalformedMedia(`box ${type} is cut off`);
    boxes.push({ type, content: bytes.subarray(at + headerBytes, end) });
    at = end;
  }
  return boxes;
}

/** Longest box header. */
export const boxHeaderBytes = 16;

/** A size of 0 means: to the end. A large one stands behind the type, in 64 bits. */
export function readBoxHeader(bytes: Buffer, at: number): { type: string; size: number; headerBytes: number } {
  if (at + 8 > bytes.length) throw new MalformedMedia('box header is cut off');
  const short = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (short !== 1) return { type, size: short, headerBytes: 8 };
  if (at + 16 > bytes.length) throw new MalformedMedia('box header is cut off');
  return { type, size: readU64(bytes, at + 8), headerBytes: 16 };
}

export function readU64(bytes: Buffer, at: number): number {
  const value = bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
  if (!Number.isSafeInteger(value)) throw new MalformedMedia('number is out of range');
  return value;
}

/** The content of a box that is somewhere below: `within(moov, 'mdia', 'minf')`; undefined where it is not. */
export function within(bytes: Buffer, ...path: readonly string[]): Buffer | undefined {
  let found: Buffer | undefined = bytes;
  for (const type of path) found = found && readBoxes(found).find((box) => box.type === type)?.content;
  return found;
}
