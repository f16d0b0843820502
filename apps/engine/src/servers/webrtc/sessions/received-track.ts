import { Reception, type ReportBlock, type RtpPacket, type SenderReport } from '@weir/media/rtp';

/** A source that sent within this time is not replaced by another of the same payload type. */
const heldMs = 1000;

/** One track of a publisher: its source and the share of packets that arrives. It is identified by its payload type. */
export class ReceivedTrack {
  readonly #payloadType: number;
  readonly #clockRate: number;
  #reception: Reception | undefined;
  #heardMs = 0;
  /** Losses of replaced sources. */
  #lostBefore = 0;
  #receivedBefore = 0;

  constructor(payloadType: number, clockRate: number) {
    this.#payloadType = payloadType;
    this.#clockRate = clockRate;
  }

  get ssrc(): number | undefined {
    return this.#reception?.ssrc;
  }

  /** Packets missing before any repair. */
  get lost(): number {
    return this.#lostBefore + (this.#reception?.lost ?? 0);
  }

  get received(): number {
    return this.#receivedBefore + (this.#reception?.received ?? 0);
  }

  /** True if a packet belongs to this track; counts it. */
  accepts(packet: RtpPacket, nowMs: number): boolean {
    if (packet.payloadType !== this.#payloadType) return false;
    if (this.#reception?.ssrc !== packet.ssrc) {
      if (this.#reception && nowMs - this.#heardMs < heldMs) return false;
      this.#lostBefore = this.lost;
      this.#receivedBefore = this.received;
      this.#reception = new Reception(packet.ssrc, this.#clockRate);
    }
    this.#heardMs = nowMs;
    this.#reception.onPacket(packet, nowMs);
    return true;
  }

  onSenderReport(report: SenderReport, nowMs: number): void {
    if (report.ssrc === this.#reception?.ssrc) this.#reception.onSenderReport(report, nowMs);
  }

  report(nowMs: number): ReportBlock | undefined {
    return this.#reception?.report(nowMs);
  }
}
