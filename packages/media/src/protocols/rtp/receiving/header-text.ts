import { rtpHeaderBytes } from '../rtp-packet.ts';

/** The text in the header extension of this id (RFC 8285, 4.2); undefined when a packet has none. */
export function readHeaderText(packet: Buffer, id: number): string | undefined {
  const first = packet[0] ?? 0;
  let at = rtpHeaderBytes + (first & 0x0f) * 4;
  if ((first & 0x10) === 0 || at + 4 > packet.length || packet.readUInt16BE(at) !== 0xbede) return undefined;
  const end = Math.min(packet.length, at + 4 + packet.readUInt16BE(at + 2) * 4);
  for (at += 4; at < end; ) {
    const head = packet[at] ?? 0;
    const bytes = (head & 0x0f) + 1;
    // A zero fills up, and 15 ends the list.
    if (head >> 4 === 15) return undefined;
    if (head >> 4 === id && at + 1 + bytes <= end) return packet.toString('latin1', at + 1, at + 1 + bytes);
    at += head === 0 ? 1 : 1 + bytes;
  }
  return undefined;
}
