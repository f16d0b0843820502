/** Octets of an RTP header without contributing sources or extensions. */
export const rtpHeaderBytes = 12;

/** Payload of one packet: with all headers it passes the smallest path that IPv6 allows (1280 octets). */
export const maxRtpPayload = 1200;

/** A picture of the largest size has half as many: packets cost memory, however small they are. */
export const mostPicturePackets = 16_384;

/** Received packet. The payload is a view of the datagram. */
export interface RtpPacket {
  readonly payloadType: number;
  readonly isMarker: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  readonly payload: Buffer;
}

/** RTP and RTCP share a port; the second octet tells them apart (RFC 5761, 4). */
export function isRtcp(bytes: Buffer): boolean {
  const type = bytes[1] ?? 0;
  return type >= 192 && type <= 223;
}

/**
 * An RTP packet (RFC 3550, 5.1), or undefined when it is none. Datagrams are lost and garbled one by one, so a bad one
 * costs nothing but itself.
 *
 *     V:2 P:1 X:1 CC:4   M:1 PT:7   sequence:16   timestamp:32   ssrc:32   csrc:32 …   extension   payload   padding
 */
export function parseRtp(bytes: Buffer): RtpPacket | undefined {
  if (bytes.length < rtpHeaderBytes) return undefined;
  const first = bytes.readUInt8(0);
  if (first >> 6 !== 2) return undefined;
  let start = rtpHeaderBytes + (first & 0x0f) * 4;
  if ((first & 0x10) !== 0) {
    if (start + 4 > bytes.length) return undefined;
    start += 4 + bytes.readUInt16BE(start + 2) * 4;
  }
  const padding = (first & 0x20) !== 0 ? bytes.readUInt8(bytes.length - 1) : 0;
  const end = bytes.length - padding;
  if (start > end) return undefined;
  const second = bytes.readUInt8(1);
  return {
    payloadType: second & 0x7f,
    isMarker: (second & 0x80) !== 0,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    ssrc: bytes.readUInt32BE(8),
    payload: bytes.subarray(start, end),
  };
}

/** Writes the header into the room that a packetizer left in front of the payload. */
export function writeRtpHeader(
  packet: Buffer,
  payloadType: number,
  isMarker: boolean,
  sequence: number,
  timestamp: number,
  ssrc: number,
): void {
  packet[0] = 0x80;
  packet[1] = isMarker ? payloadType | 0x80 : payloadType;
  packet[2] = sequence >> 8;
  packet[3] = sequence;
  // Octet by octet: it is done for each packet of each viewer, and `writeUInt32BE` checks more than is needed here.
  writeWord(packet, 4, timestamp);
  writeWord(packet, 8, ssrc);
}

function writeWord(packet: Buffer, at: number, value: number): void {
  packet[at] = value >>> 24;
  packet[at + 1] = value >>> 16;
  packet[at + 2] = value >>> 8;
  packet[at + 3] = value;
}

/** A header with one extension: the number of the packet among all of its transport. */
export const countedHeaderBytes = rtpHeaderBytes + 8;

/**
 * Adds it to a header that was written (RFC 8285, 4.2, one octet in front of each):
 *
 *     0xbede:16   words:16   id:4 length-1:4   number:16   padding:8
 */
export function writeTransportNumber(packet: Buffer, id: number, number: number): void {
  packet[0] = 0x90;
  packet.writeUInt32BE(0xbede_0001, rtpHeaderBytes);
  packet[rtpHeaderBytes + 4] = (id << 4) | 1;
  packet.writeUInt16BE(number & 0xffff, rtpHeaderBytes + 5);
  packet[rtpHeaderBytes + 7] = 0;
}

/** The same with a second extension: how long a player holds video back. */
export const delayedHeaderBytes = countedHeaderBytes + 4;
const delayStepMs = 10;
const mostDelaySteps = 0xfff;

/**
 * Adds it behind the number of the transport (webrtc.org's playout-delay), in steps of 10 ms. Without a bound of their own
 * players wait 10 s at most.
 *
 *     id:4 length-1:4   least:12   most:12   padding:8
 */
export function writePlayoutDelay(packet: Buffer, id: number, delayMs: number): void {
  const at = rtpHeaderBytes + 7;
  const least = Math.max(0, Math.min(mostDelaySteps, Math.round(delayMs / delayStepMs)));
  packet[rtpHeaderBytes + 3] = 2;
  packet[at] = (id << 4) | 2;
  packet.writeUIntBE(least * 0x1000 + Math.max(least, 10_000 / delayStepMs), at + 1, 3);
  packet[at + 4] = 0;
}

/** The number of the transport that a packet has in the extension of this id; undefined when it has none. */
export function readTransportNumber(packet: Buffer, id: number): number | undefined {
  const at = findExtension(packet, id);
  return at > 0 && ((packet[at] ?? 0) & 0x0f) === 1 ? packet.readUInt16BE(at + 1) : undefined;
}

/** The text in the header extension of this id; undefined when a packet has none. */
export function readHeaderText(packet: Buffer, id: number): string | undefined {
  const at = findExtension(packet, id);
  return at > 0 ? packet.toString('latin1', at + 1, at + 2 + ((packet[at] ?? 0) & 0x0f)) : undefined;
}

/** Finds the one-byte header of an extension whose data lies within the packet (RFC 8285, 4.2); 0 when there is none. */
function findExtension(packet: Buffer, id: number): number {
  const first = packet[0] ?? 0;
  let at = rtpHeaderBytes + (first & 0x0f) * 4;
  if ((first & 0x10) === 0 || at + 4 > packet.length || packet.readUInt16BE(at) !== 0xbede) return 0;
  const end = Math.min(packet.length, at + 4 + packet.readUInt16BE(at + 2) * 4);
  for (at += 4; at < end; ) {
    const head = packet[at] ?? 0;
    const bytes = (head & 0x0f) + 1;
    // A zero is padding, and 15 ends the list.
    if (head >> 4 === 15) return 0;
    if (head !== 0 && head >> 4 === id && at + 1 + bytes <= end) return at;
    at += head === 0 ? 1 : 1 + bytes;
  }
  return 0;
}

/** The last octet of the packet tells how many at its end are to be left out. */
export function markPadded(packet: Buffer): void {
  packet[0] = (packet[0] ?? 0) | 0x20;
}

/** Continues 16-bit sequence numbers without end, by the shorter way round. */
export class SequenceUnwrapper {
  #last: number | undefined;

  next(sequence: number): number {
    const last = this.#last;
    if (last === undefined) {
      this.#last = sequence;
      return sequence;
    }
    const value = last + (((sequence - last) << 16) >> 16);
    // Only forward: a late packet must not pull the reference back.
    if (value > last) this.#last = value;
    return value;
  }
}
