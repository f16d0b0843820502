import { randomInt } from 'node:crypto';
import {
  countedHeaderBytes,
  delayedHeaderBytes,
  markPadded,
  maxRtpPayload,
  rtpHeaderBytes,
  type TransportFeedback,
  vp9IdBytes,
  writePlayoutDelay,
  writeRtpHeader,
  writeTransportNumber,
  writeVp9Id,
} from '@weir/media/rtp';
import type { OutPacket } from '../../../packagers/rtp/out-packet.ts';
import type { RtcTransport } from '../transport/rtc-transport.ts';
import { BandwidthEstimate } from './congestion/bandwidth-estimate.ts';
import type { LineFigures } from './congestion/delay-trend.ts';
import type { SentTrack } from './sent-track.ts';

/** Negotiated video options beside the codec. */
export interface PictureExtras {
  /** Separate RTP stream of retransmissions (RFC 4588). */
  readonly repair?: { readonly payloadType: number; readonly ssrc: number } | undefined;
  /** The extension with a number of the transport. Only together with `repair`: what is sent again as it was must be as it was. */
  readonly transportNumber?: number | undefined;
  /** The extension that tells how long video is to be held back. Only together with `transportNumber`. */
  readonly playoutDelay?: number | undefined;
}

/** Factor above the media rate that bursts may use. */
const burstFactor = 2.5;
const turnMs = 4;
const typicalPacketBytes = 1200;
const fewestPerTurn = 4;
/** While nothing is known: 72 Mbit/s. */
const unknownPerTurn = 30;
/** Bursts further apart are two. */
const burstApartMs = 100;
/** Duration after which a queue counts as congestion. */
const mostExplainedMs = 1000;
/** In front of a payload that is sent again: the number it had. */
const originalNumberBytes = 2;

/** A packet with all extensions passes the smallest path that IPv6 allows as well. */
const mostDelayedBytes = maxRtpPayload - (delayedHeaderBytes - countedHeaderBytes) - originalNumberBytes;

/** True if the packet has room for the delay as well. */
function isDelayable({ payload, vp9Flags }: OutPacket): boolean {
  return payload.length + (vp9Flags === undefined ? 0 : vp9IdBytes) <= mostDelayedBytes;
}

/** Headers, for the length of a call. The same for everybody: what each viewer has of its own must come into the caches first. */
const headersWith = (bytes: number) => ({
  plain: Buffer.alloc(rtpHeaderBytes + bytes),
  counted: Buffer.alloc(countedHeaderBytes + bytes),
  delayed: Buffer.alloc(delayedHeaderBytes + bytes),
});
const first = headersWith(0);
const again = headersWith(originalNumberBytes);
/** Header extensions and the beginning of VP9's descriptor behind them. */
const firstVp9 = headersWith(vp9IdBytes);
const againVp9 = headersWith(originalNumberBytes + vp9IdBytes);

/** Writes the headers of one viewer's packets, and keeps account of when they left. */
export class PacketSender {
  readonly #transport: Pick<RtcTransport, 'sendRtp'>;
  readonly #extras: PictureExtras;
  /** Undefined for receivers that report no arrival times. */
  readonly #line: BandwidthEstimate | undefined;
  #repairNumber = randomInt(2 ** 15);
  #packetsPerTurn = unknownPerTurn;
  #delayId: number | undefined;
  #delayMs = 0;
  #burstBytes = 0;
  #burstMs = Number.NEGATIVE_INFINITY;

  constructor(transport: Pick<RtcTransport, 'sendRtp'>, extras: PictureExtras) {
    this.#transport = transport;
    this.#extras = extras;
    this.#line = extras.transportNumber === undefined ? undefined : new BandwidthEstimate();
  }

  /** Estimated capacity of the viewer's line; 0 if unknown. */
  get lineKbps(): number {
    return this.#line?.kbps ?? 0;
  }

  /** Packets per turn: a keyframe takes several turns, so that it does not fill the line's queue. */
  get packetsPerTurn(): number {
    return this.#packetsPerTurn;
  }

  /** Tells how many octets it has. */
  send(packet: OutPacket, track: SentTrack, wire: number, timestamp: number, nowMs: number): number {
    const { payload, vp9Flags, padding, isMarker, isVideo } = packet;
    const headers = vp9Flags === undefined ? first : firstVp9;
    const line = isVideo ? this.#line : undefined;
    const delay = line && isDelayable(packet) ? this.#delayId : undefined;
    const header = delay === undefined ? (line ? headers.counted : headers.plain) : headers.delayed;
    const length = header.length + payload.length;
    writeRtpHeader(header, track.payloadType, isMarker, wire, timestamp, track.ssrc);
    if (line) writeTransportNumber(header, this.#extras.transportNumber ?? 0, line.onSent(length, nowMs));
    if (delay !== undefined) writePlayoutDelay(header, delay, this.#delayMs);
    if (padding > 0) markPadded(header);
    if (vp9Flags !== undefined) writeVp9Id(header, header.length - vp9IdBytes, vp9Flags, track.pictureId(packet));
    this.#transport.sendRtp(header, payload);
    return length;
  }

  /** The same packet once more: in the stream that was agreed for it, or else with exactly the octets it had. */
  sendAgain(packet: OutPacket, track: SentTrack, wire: number, timestamp: number, nowMs: number): number {
    const { repair, transportNumber } = this.#extras;
    if (!repair || !packet.isVideo) return this.send(packet, track, wire, timestamp, nowMs);
    const line = this.#line;
    const { vp9Flags } = packet;
    const headers = vp9Flags === undefined ? again : againVp9;
    const delay = isDelayable(packet) ? this.#delayId : undefined;
    const header = delay === undefined ? (line ? headers.counted : headers.plain) : headers.delayed;
    // Without what only filled it up (RFC 4588, 4).
    const payload = packet.payload.subarray(0, packet.payload.length - packet.padding);
    const length = header.length + payload.length;
    writeRtpHeader(header, repair.payloadType, packet.isMarker, this.#repairNumber++, timestamp, repair.ssrc);
    if (line) writeTransportNumber(header, transportNumber ?? 0, line.onSent(length, nowMs));
    if (delay !== undefined) writePlayoutDelay(header, delay, this.#delayMs);
    const ownBytes = vp9Flags === undefined ? 0 : vp9IdBytes;
    header.writeUInt16BE(wire & 0xffff, header.length - ownBytes - originalNumberBytes);
    if (vp9Flags !== undefined) writeVp9Id(header, header.length - ownBytes, vp9Flags, track.pictureId(packet));
    this.#transport.sendRtp(header, payload);
    return length;
  }

  /** Sets the playout delay in packets from now on. Nothing is sent before it is needed. */
  setPlayoutDelay(delayMs: number): void {
    if (delayMs > 0) this.#delayId = this.#extras.playoutDelay;
    this.#delayMs = delayMs;
  }

  /** Time for which a burst keeps the line busy, as far as its delay still shows. */
  explainedMs(nowMs: number): number {
    const kbps = this.lineKbps;
    const busyMs = kbps > 0 ? Math.min(mostExplainedMs, (this.#burstBytes * 8) / kbps) : mostExplainedMs / 2;
    return nowMs - this.#burstMs < 2 * busyMs + 250 ? busyMs : 0;
  }

  /** Notes a packet of a keyframe, or of what a viewer gets to catch up. */
  noteBurst(bytes: number, nowMs: number): void {
    if (nowMs - this.#burstMs > burstApartMs) this.#burstBytes = 0;
    this.#burstBytes += bytes;
    this.#burstMs = nowMs;
  }

  onFeedback(feedback: TransportFeedback, nowMs: number): LineFigures | undefined {
    const figures = this.#line?.onFeedback(feedback, nowMs);
    const packets = Math.ceil((this.lineKbps * turnMs * burstFactor) / 8 / typicalPacketBytes);
    if (packets > 0) this.#packetsPerTurn = Math.max(fewestPerTurn, packets);
    return figures;
  }
}
