import type { SdpOffer } from '@weir/media/sdp';

/** Offer's facts about the other end. */
export type PeerFacts = Pick<SdpOffer, 'iceUfrag' | 'icePwd' | 'fingerprint' | 'setup'>;

/** Answer's facts about our end. */
export interface TransportFacts {
  readonly iceUfrag: string;
  readonly icePwd: string;
  /** With its algorithm in front. */
  readonly fingerprint: string;
  /** We only answer checks (RFC 8445, 2.5). */
  readonly isIceLite?: boolean;
}

export interface TransportEvents {
  /** The other side proved that it has our answer and can be reached; DTLS is next. */
  onReached(): void;
  /** Packets can be sent from now on. */
  onOpen(): void;
  /** RTP or RTCP, decrypted; the receiver's to keep. It came so many milliseconds ago. */
  onPacket(bytes: Buffer, waitedMs: number): void;
  /** The peer is gone, or never connected. */
  onEnd(reason: string): void;
  /** Called when a callback above threw. */
  onFault(error: unknown): void;
}

/** One peer: ICE, DTLS and SRTP. Headers and reports are read before the call returns and may be used again. */
export interface RtcTransport {
  readonly facts: TransportFacts;
  /**
   * An RTP packet in two parts: what is this peer's alone, and what is shared by all, which must never change. False when it
   * could not be sent; a full socket loses it, as the network would.
   */
  sendRtp(header: Buffer, payload: Buffer): boolean;
  sendRtcp(packet: Buffer): boolean;
  close(): void;
}

export interface Connecting {
  readonly id: string;
  readonly peer: PeerFacts;
  /** A transport that we send to accepts nothing but RTCP. */
  readonly role: 'sends' | 'receives';
  readonly events: TransportEvents;
}

/** The one UDP port that all peers share. */
export interface RtcPort {
  readonly port: number;
  /** A transport that waits to be reached. Throws where it cannot be made. */
  connect(connecting: Connecting): RtcTransport;
  close(): void;
}
