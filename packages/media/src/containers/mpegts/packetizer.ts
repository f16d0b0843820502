import { packetBytes, tsSyncByte } from './mpegts-constants.ts';
import { writePcr } from './timestamps.ts';
import type { TsTrack } from './ts-track.ts';

const payloadBytes = packetBytes - 4;

/**
 * Deals the PES packet, which ends where the packets are to end, into packets from `from` on. It works in
 * place: what is written never passes what is still to be read, because headers only make it longer.
 *
 *     sync:8 | error:1 start:1 priority:1 pid:13 | scrambling:2 adaptation:2 continuity:4 | adaptation… | payload…
 */
export function writePesPackets(
  out: Buffer,
  from: number,
  pes: { readonly start: number; readonly end: number },
  track: TsTrack,
  clock90k: number,
  isRandomAccess: boolean,
): void {
  const { pid } = track;
  let { continuity } = track;
  const { end } = pes;
  let source = pes.start;
  for (let at = from; at < end; at += packetBytes) {
    const isFirst = at === from;
    const hasClock = isFirst && clock90k >= 0;
    out[at] = tsSyncByte;
    out[at + 1] = (isFirst ? 0x40 : 0) | (pid >> 8);
    out[at + 2] = pid & 0xff;
    const room = hasClock ? payloadBytes - 8 : payloadBytes;
    const left = end - source;
    const count = left < room ? left : room;
    const fieldBytes = payloadBytes - count;
    out[at + 3] = (fieldBytes > 0 ? 0x30 : 0x10) | continuity;
    continuity = (continuity + 1) & 0xf;
    if (fieldBytes > 0)
      writeAdaptationField(out, at + 4, fieldBytes, hasClock ? clock90k : -1, isFirst && isRandomAccess);
    const target = at + 4 + fieldBytes;
    if (target !== source) out.copyWithin(target, source, source + count);
    source += count;
  }
  track.continuity = continuity;
}

/** A packet that only tells the time. Without payload the counter stays (ISO 13818-1, 2.4.3.3). */
export function writePcrPacket(out: Buffer, at: number, track: TsTrack, clock90k: number): void {
  out[at] = tsSyncByte;
  out[at + 1] = track.pid >> 8;
  out[at + 2] = track.pid & 0xff;
  out[at + 3] = 0x20 | ((track.continuity + 15) & 0xf);
  writeAdaptationField(out, at + 4, payloadBytes, clock90k, false);
}

/** A packet that only says: what follows does not count on from what was before (discontinuity_indicator, 2.4.3.5). */
export function writeGapPacket(out: Buffer, at: number, track: TsTrack): void {
  out[at] = tsSyncByte;
  out[at + 1] = track.pid >> 8;
  out[at + 2] = track.pid & 0xff;
  out[at + 3] = 0x20 | ((track.continuity + 15) & 0xf);
  writeAdaptationField(out, at + 4, payloadBytes, -1, false);
  out[at + 5] = 0x80;
}

/** Fills exactly `size` bytes: length, flags, clock, stuffing. One byte is a length of zero and nothing else. */
function writeAdaptationField(out: Buffer, at: number, size: number, clock90k: number, isRandomAccess: boolean): void {
  out[at] = size - 1;
  if (size === 1) return;
  const hasClock = clock90k >= 0;
  out[at + 1] = (isRandomAccess && hasClock ? 0x40 : 0) | (hasClock ? 0x10 : 0);
  if (hasClock) writePcr(out, at + 2, clock90k);
  const used = hasClock ? 8 : 2;
  if (size > used) out.fill(0xff, at + used, at + size);
}
