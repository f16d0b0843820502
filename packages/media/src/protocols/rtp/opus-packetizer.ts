import { opusPacketSamples } from '../../codecs/opus.ts';
import { rtpHeaderBytes } from './rtp-packet.ts';

const mostFrameBytes = 1275;
/** 20 ms: two of them are a packet of 40 ms, which every receiver takes. */
const longestFrameSamples = 960;

/** Opus packet with space for a header in front. */
export function packetizeOpus(payload: Buffer): Buffer {
  const out = Buffer.allocUnsafe(rtpHeaderBytes + payload.length);
  payload.copy(out, rtpHeaderBytes);
  return out;
}

/**
 * Two packets of one frame each as one packet of two (RFC 6716, 3.2.3 and 3.2.4), with room for a header in front;
 * undefined when they do not go together.
 *
 *     config:5 stereo:1 code:2   [length of the first: 1 or 2 octets, unless both are equal]   first   second
 */
export function packetizeOpusPair(first: Buffer, second: Buffer): Buffer | undefined {
  const [toc, other] = [first[0], second[0]];
  if (toc === undefined || toc !== other || (toc & 3) !== 0) return undefined;
  if (first.length - 1 > mostFrameBytes || second.length - 1 > mostFrameBytes) return undefined;
  if (opusPacketSamples(first) > longestFrameSamples) return undefined;
  const isEqual = first.length === second.length;
  const head = isEqual ? [toc | 1] : [toc | 2, ...lengthOf(first.length - 1)];
  return Buffer.concat([Buffer.alloc(rtpHeaderBytes), Buffer.from(head), first.subarray(1), second.subarray(1)]);
}

/** RFC 6716, 3.2.1. */
function lengthOf(bytes: number): number[] {
  if (bytes < 252) return [bytes];
  const low = 252 + (bytes & 3);
  return [low, (bytes - low) >> 2];
}
