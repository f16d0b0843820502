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

/** Headers, for the length of a call. The same for everybody: what each viewer has of its own must come into the caches first. */
const plain = Buffer.alloc(rtpHeaderBytes);
const counted = Buffer.alloc(countedHeaderBytes);
const plainAgain = Buffer.alloc(rtpHeaderBytes + originalNumberBytes);
const countedAgain = Buffer.alloc(countedHeaderBytes + originalNumberBytes);

/** Writes the headers of one viewer's packets, and keeps account of when they left. */
export class PacketSender {
  readonly #transport: Pick<RtcTransport, 'sendRtp'>;
  readonly #extras: PictureExtras;
  /** Only of those who tell when packets came. */
  readonly #line: LineEstimate | undefined;
  #repairNumber = randomInt(2 ** 15);
  #packetsPerTurn = unknownPerTurn;

  constructor(transport: Pick<RtcTransport, 'sendRtp'>, extras: PictureExtras) {
    this.#transport = transport;
    this.#extras = extras;
    this.#line = extras.transportNumber === undefined ? undefined : new LineEstimate();
  }

  /** What the viewer's line carries, as far as it is known; 0 otherwise. */
  get lineKbps(): number {
    return this.#line?.kbps ?? 0;
  }

  /** How many packets may leave at once: a keyframe takes several turns, so that it does not fill up the way. */
  get packetsPerTurn(): number {
    return this.#packetsPerTurn;
  }

  /** Tells how many octets it has. */
  send(packet: OutPacket, track: SentTrack, wire: number, timestamp: number, nowMs: number): number {
    const { payload, padding, isMarker, isVideo } = packet;
    const line = isVideo ? this.#line : undefined;
    const header = line ? counted : plain;
    const length = header.length + payload.length;
    writeRtpHeader(header, track.payloadType, isMarker, wire, timestamp, track.ssrc);
    if (line) writeTransportNumber(header, this.#extras.transportNumber ?? 0, line.onSent(length, nowMs));
    if (padding > 0) markPadded(header);
    this.#transport.sendRtp(header, payload);
    return length;
  }

  /** The same packet once more: in the stream that was agreed for it, or else with exactly the octets it had. */
  sendAgain(packet: OutPacket, track: SentTrack, wire: number, timestamp: number, nowMs: number): number {
    const { repair, transportNumber } = this.#extras;
    if (!repair) return this.send(packet, track, wire, timestamp, nowMs);
    const line = this.#line;
    const header = line ? countedAgain : plainAgain;
    // Without what only filled it up (RFC 4588, 4).
    const payload = packet.payload.subarray(0, packet.payload.length - packet.padding);
    const length = header.length + payload.length;
    writeRtpHeader(header, repair.payloadType, packet.isMarker, this.#repairNumber++, timestamp, repair.ssrc);
    if (line) writeTransportNumber(header, transportNumber ?? 0, line.onSent(length, nowMs));
    header.writeUInt16BE(wire & 0xffff, header.length - originalNumberBytes);
    this.#transport.sendRtp(header, payload);
    return length;
  }

  onFeedback(feedback: TransportFeedback): void {
    this.#line?.onFeedback(feedback);
    const packets = Math.ceil((this.lineKbps * turnMs * burstFactor) / 8 / typicalPacketBytes);
    if (packets > 0) this.#packetsPerTurn = Math.max(fewestPerTurn, packets);
  }
}
