import { joinObus, splitObus, type VideoCodec } from '@weir/media';
import type { SlateLoop } from './slate-loop.ts';

const h264Filler = Buffer.from([0x0c]);
const h265Filler = Buffer.from([38 << 1, 1]);
const av1Padding = Buffer.from([15 << 3]);
/** Ends filler in all of them. */
const trailing = Buffer.from([0x80]);

const padded = new WeakMap<SlateLoop, Map<number, SlateLoop>>();

/** The loop with at least this many kbit/s of video: platforms warn of less. VP9 has nothing to fill with. */
export function withLeastBitrate(loop: SlateLoop, kbps: number): SlateLoop {
  if (kbps <= 0) return loop;
  const known = padded.get(loop) ?? new Map<number, SlateLoop>();
  padded.set(loop, known);
  const leastBytes = Math.ceil((kbps * loop.intervalMs) / 8);
  const pad = (picture: SlateLoop['pictures'][number]) => ({
    ...picture,
    payload: fill(loop.video.codec, picture.payload, leastBytes),
  });
  const found = known.get(kbps) ?? { ...loop, pictures: loop.pictures.map(pad) };
  known.set(kbps, found);
  return found;
}

function fill(codec: VideoCodec, payload: Buffer, leastBytes: number): Buffer {
  const missing = leastBytes - payload.length;
  if (missing < 16 || codec === 'vp9') return payload;
  if (codec === 'av1') {
    const padding = Buffer.concat([av1Padding, Buffer.alloc(missing - 4), trailing]);
    return joinObus([...splitObus(payload), padding]);
  }
  const head = codec === 'h264' ? h264Filler : h265Filler;
  // Length in four bytes before it, and the end.
  const nal = Buffer.concat([head, Buffer.alloc(missing - head.length - 5, 0xff), trailing]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(nal.length);
  return Buffer.concat([payload, length, nal]);
}
