import type { MediaFrame } from '@weir/media';

/** Cost of a frame beside its payload: objects, and rounding of allocations. */
const objectBytes = 512;
/** A small view may keep this many times its own length of memory that belongs to others. */
const mostRatio = 4;
/** Smaller copies share memory that is there already; larger ones would cost more than they are worth. */
const smallBytes = 4096;

/** The memory that keeping a frame takes; frames of five bytes are not free. */
export function memoryCost({ payload }: MediaFrame): number {
  return payload.length + objectBytes;
}

/**
 * The same for a frame that is kept for long, with all of the read it is a view of. `beside`: one that is kept already,
 * in whose price that read may be included.
 */
export function fullMemoryCost({ payload }: MediaFrame, beside: MediaFrame | undefined): number {
  if (payload.length < smallBytes) return payload.length + objectBytes;
  return objectBytes + (payload.buffer === beside?.payload.buffer ? 0 : payload.buffer.byteLength);
}

export function isLarge({ payload }: MediaFrame): boolean {
  return payload.length >= smallBytes;
}

/**
 * Frames are views of the read they came in, and caches keep them long after it. A small one in a large read gets
 * memory of its own, so that five bytes do not hold 64 KB.
 */
export function inOwnMemory(frame: MediaFrame): MediaFrame {
  const { payload } = frame;
  if (payload.length >= smallBytes || payload.buffer.byteLength <= mostRatio * payload.length) return frame;
  const { kind, codec, dtsMs, ptsMs, isKeyframe } = frame;
  return { kind, codec, dtsMs, ptsMs, isKeyframe, payload: Buffer.from(payload) };
}

/** The same for text: a part of a request's text keeps all of it in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
