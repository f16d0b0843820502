import { opusPacketSamples } from '../../codecs/opus.ts';
import { rtpHeaderBytes } from './rtp-packet.ts';

const mostFrameBytes = 1275;
/** 40 ms: the longest packet that every receiver takes. */
export const longestJoinedSamples = 1920;

/** Opus packet with space for a header in front. */
export function packetizeOpus(payload: Buffer): Buffer {
  const out = Buffer.allocUnsafe(rtpHeaderBytes + payload.length);
  payload.copy(out, rtpHeaderBytes);
  return out;
}

/**
 * Packets of one frame each as one packet of all frames (RFC 6716, 3.2), with room for a header in front; undefined when
 * they do not go together.
 *
 *     code 1, 2:  config:5 stereo:1 code:2   [length of the first, unless both are equal]   frames
 *     code 3:     config:5 stereo:1 code:2   vbr:1 padding:1 count:6   lengths of all but the last   frames
 */
export function joinOpusPackets(packets: readonly Buffer[]): Buffer | undefined {
  const [first] = packets;
  const toc = first?.[0];
  if (first === undefined || toc === undefined || (toc & 3) !== 0) return undefined;
  if (packets.some((packet) => packet[0] !== toc || packet.length - 1 > mostFrameBytes)) return undefined;
  if (opusPacketSamples(first) * packets.length > longestJoinedSamples) return undefined;
  const head = headOf(toc, packets);
  return Buffer.concat([
    Buffer.alloc(rtpHeaderBytes),
    Buffer.from(head),
    ...packets.map((packet) => packet.subarray(1)),
  ]);
}

function headOf(toc: number, packets: readonly Buffer[]): number[] {
  const lengths = packets.slice(0, -1).flatMap(({ length }) => lengthOf(length - 1));
  if (packets.length === 1) return [toc];
  if (packets.length > 2) return [toc | 3, 0x80 | packets.length, ...lengths];
  return packets[0]?.length === packets[1]?.length ? [toc | 1] : [toc | 2, ...lengths];
}

/** RFC 6716, 3.2.1. */
function lengthOf(bytes: number): number[] {
  if (bytes < 252) return [bytes];
  const low = 252 + (bytes & 3);
  return [low, (bytes - low) >> 2];
}
