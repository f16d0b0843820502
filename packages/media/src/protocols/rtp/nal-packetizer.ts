import type { NalLayout } from './nal-layout.ts';
import { maxRtpPayload, rtpHeaderBytes } from './rtp-packet.ts';

/**
 * The packets of one picture, each with room for an RTP header in front. Small units travel together: what a packet
 * costs does not depend on its length.
 */
export function packetizeNals(nals: readonly Buffer[], layout: NalLayout, maxPayload = maxRtpPayload): Buffer[] {
  const packets: Buffer[] = [];
  let group: Buffer[] = [];
  let groupBytes = layout.headerBytes;
  const endGroup = () => {
    if (group.length > 0) packets.push(group.length === 1 && group[0] ? alone(group[0]) : aggregate(group, layout));
    group = [];
    groupBytes = layout.headerBytes;
  };
  for (const nal of nals) {
    if (nal.length <= layout.headerBytes) continue;
    if (groupBytes + 2 + nal.length > maxPayload) endGroup();
    if (nal.length > maxPayload) {
      endGroup();
      fragment(packets, nal, layout, maxPayload);
    } else {
      group.push(nal);
      groupBytes += 2 + nal.length;
    }
  }
  endGroup();
  return packets;
}

function alone(nal: Buffer): Buffer {
  const out = Buffer.allocUnsafe(rtpHeaderBytes + nal.length);
  nal.copy(out, rtpHeaderBytes);
  return out;
}

function aggregate(nals: readonly Buffer[], layout: NalLayout): Buffer {
  let length = rtpHeaderBytes + layout.headerBytes;
  for (const nal of nals) length += 2 + nal.length;
  const out = Buffer.allocUnsafe(length);
  layout.writeAggregation(out, rtpHeaderBytes, nals);
  let at = rtpHeaderBytes + layout.headerBytes;
  for (const nal of nals) {
    at = out.writeUInt16BE(nal.length, at);
    at += nal.copy(out, at);
  }
  return out;
}

/** Payload header, then `first:1 last:1 type:6` (H.264 has a reserved bit there), then a part of the unit. */
function fragment(packets: Buffer[], nal: Buffer, layout: NalLayout, maxPayload: number): void {
  const { headerBytes } = layout;
  const type = layout.typeOf(nal[0] ?? 0);
  const room = maxPayload - headerBytes - 1;
  // Parts of equal size: a last one of a few octets would cost as much as a full one.
  const count = Math.ceil((nal.length - headerBytes) / room);
  const size = Math.ceil((nal.length - headerBytes) / count);
  for (let from = headerBytes; from < nal.length; from += size) {
    const to = Math.min(nal.length, from + size);
    const out = Buffer.allocUnsafe(rtpHeaderBytes + headerBytes + 1 + to - from);
    layout.writeFragment(out, rtpHeaderBytes, nal);
    out[rtpHeaderBytes + headerBytes] = (from === headerBytes ? 0x80 : 0) | (to === nal.length ? 0x40 : 0) | type;
    nal.copy(out, rtpHeaderBytes + headerBytes + 1, from, to);
    packets.push(out);
  }
}
