import type { SdpOffer } from '@weir/media/sdp';

/** Values of the offer that a transport needs. */
export type PeerFacts = Pick<SdpOffer, 'iceUfrag' | 'icePwd' | 'fingerprint' | 'setup'>;

/** Values of our transport for the answer. */
export interface TransportFacts {
  readonly iceUfrag: string;
  readonly icePwd: string;
  /** Fingerprint with the name of its algorithm in front. */
  readonly fingerprint: string;
  /** True if this end only answers checks (RFC 8445, 2.5). */
  readonly isIceLite?: boolean;
}

export interface TransportEvents {
  /** Called once the peer has proved that it has our answer and can be reached. DTLS follows. */
  onReached(): void;
  /** Called once packets can be sent. */
  onOpen(): void;
  /** Called with a decrypted RTP or RTCP packet, which belongs to the receiver, and the milliseconds since it arrived. */
  onPacket(bytes: Buffer, waitedMs: number): void;
  /** Called when the peer is gone or did not connect in time. */
  onEnd(reason: string): void;
  /** Called when a callback above threw. */
  onFault(error: unknown): void;
}

/** ICE, DTLS and SRTP of one peer. Callers may reuse headers and reports after a call returns. */
export interface RtcTransport {
  readonly facts: TransportFacts;
  /**
   * Sends an RTP packet in two parts: the header is this peer's own, the payload is shared by all and must never change. Returns false if it
   * could not be sent. A full socket loses packets, as the network does.
   */
  sendRtp(header: Buffer, payload: Buffer): boolean;
  sendRtcp(packet: Buffer): boolean;
  close(): void;
}

export interface Connecting {
  readonly id: string;
  readonly peer: PeerFacts;
  /** Direction of media. A transport that sends media accepts only RTCP. */
  readonly role: 'sends' | 'receives';
  readonly events: TransportEvents;
}

/** The one UDP port that all peers share. */
export interface RtcPort {
  readonly port: number;
  /** Makes a transport that waits for its peer. Throws if that is impossible. */
  connect(connecting: Connecting): RtcTransport;
  close(): void;
}
