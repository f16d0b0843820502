import { randomInt } from 'node:crypto';
import {
  countedHeaderBytes,
  markPadded,
  rtpHeaderBytes,
  type TransportFeedback,
  writeRtpHeader,
  writeTransportNumber,
} from '@weir/media/rtp';
import type { OutPacket } from '../../../packagers/rtp/out-packet.ts';
import type { RtcTransport } from '../transport/rtc-transport.ts';
import { LineEstimate } from './line-estimate.ts';
import type { SentTrack } from './sent-track.ts';

/** What was agreed on pictures beside their codec. */
export interface PictureExtras {
  /** A stream of its own for what is sent again (RFC 4588). */
  readonly repair?: { readonly payloadType: number; readonly ssrc: number } | undefined;
  /** The extension with a number of the transport. Only together with `repair`: what is sent again as it was must be as it was. */
  readonly transportNumber?: number | undefined;
}

/** A line carries pictures and sound at their rate anyway; a burst may take this many times of what it carries. */
const burstFactor = 2.5;
const turnMs = 4;
const typicalPacketBytes = 1200;
const fewestPerTurn = 4;
/** While nothing is known: 72 Mbit/s. */
const unknownPerTurn = 30;
/** In front of a payload that is sent again: the number it had. */
const originalNumberBytes = 2;

/** Writes the headers of one viewer's packets, and keeps account of when they left. */
export class PacketSender {
  readonly #transport: Pick<RtcTransport, 'sendRtp'>;
  readonly #extras: PictureExtras;
  readonly #line = new LineEstimate();
  readonly #plain = Buffer.alloc(rtpHeaderBytes);
  readonly #counted = Buffer.alloc(countedHeaderBytes);
  readonly #again: Buffer;
  #repairNumber = randomInt(2 ** 15);
  #packetsPerTurn = unknownPerTurn;

  constructor(transport: Pick<RtcTransport, 'sendRtp'>, extras: PictureExtras) {
    this.#transport = transport;
    this.#extras = extras;
    const head = extras.transportNumber === undefined ? rtpHeaderBytes : countedHeaderBytes;
    this.#again = Buffer.alloc(head + originalNumberBytes);
  }

  /** What the viewer's line carries, as far as it is known; 0 otherwise. */
  get lineKbps(): number {
    return this.#line.kbps;
  }

  /** How many packets may leave at once: a keyframe takes several turns, so that it does not fill up the way. */
  get packetsPerTurn(): number {
    return this.#packetsPerTurn;
  }

  /** Tells how many octets it has. */
  send(packet: OutPacket, track: SentTrack, wire: number, timestamp: number, nowMs: number): number {
    const { transportNumber } = this.#extras;
    const { payload, padding, isMarker, isVideo } = packet;
    const isCounted = isVideo && transportNumber !== undefined;
    const header = isCounted ? this.#counted : this.#plain;
    const length = header.length + payload.length;
    writeRtpHeader(header, track.payloadType, isMarker, wire, timestamp, track.ssrc);
    if (isCounted) writeTransportNumber(header, transportNumber, this.#line.onSent(length, nowMs));
    if (padding > 0) markPadded(header);
    this.#transport.sendRtp(header, payload);
    return length;
  }

  /** The same packet once more: in the stream that was agreed for it, or else with exactly the octets it had. */
  sendAgain(packet: OutPacket, track: SentTrack, wire: number, timestamp: number, nowMs: number): number {
    const { repair, transportNumber } = this.#extras;
    if (!repair) return this.send(packet, track, wire, timestamp, nowMs);
    const header = this.#again;
    // Without what only filled it up (RFC 4588, 4).
    const payload = packet.payload.subarray(0, packet.payload.length - packet.padding);
    const length = header.length + payload.length;
    writeRtpHeader(header, repair.payloadType, packet.isMarker, this.#repairNumber++, timestamp, repair.ssrc);
    if (transportNumber !== undefined) writeTransportNumber(header, transportNumber, this.#line.onSent(length, nowMs));
    header.writeUInt16BE(wire & 0xffff, header.length - originalNumberBytes);
    this.#transport.sendRtp(header, payload);
    return length;
  }

  onFeedback(feedback: TransportFeedback): void {
    this.#line.onFeedback(feedback);
    const packets = Math.ceil((this.#line.kbps * turnMs * burstFactor) / 8 / typicalPacketBytes);
    if (packets > 0) this.#packetsPerTurn = Math.max(fewestPerTurn, packets);
  }
}
