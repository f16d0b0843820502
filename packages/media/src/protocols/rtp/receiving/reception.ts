import type { ReportBlock, SenderReport } from '../rtcp.ts';
import { type RtpPacket, SequenceUnwrapper } from '../rtp-packet.ts';

/** Reception statistics of one sender for receiver reports (RFC 3550, 6.4.1 and A.8). */
export class Reception {
  readonly ssrc: number;
  readonly #clockRate: number;
  readonly #unwrapper = new SequenceUnwrapper();
  #first = 0;
  #highest = -1;
  received = 0;
  #reportedExpected = 0;
  #reportedReceived = 0;
  #jitter = 0;
  #lastTransit: number | undefined;
  #lastReport = 0;
  #lastReportMs = 0;

  constructor(ssrc: number, clockRate: number) {
    this.ssrc = ssrc;
    this.#clockRate = clockRate;
  }

  onPacket({ sequence, timestamp }: RtpPacket, nowMs: number): void {
    const extended = this.#unwrapper.next(sequence);
    if (this.#highest < 0) this.#first = extended;
    this.#highest = Math.max(this.#highest, extended);
    this.received += 1;
    const transit = (Math.round((nowMs * this.#clockRate) / 1000) - timestamp) | 0;
    if (this.#lastTransit !== undefined) {
      const change = Math.abs((transit - this.#lastTransit) | 0);
      this.#jitter += (change - this.#jitter) / 16;
    }
    this.#lastTransit = transit;
  }

  onSenderReport({ ntpMiddle }: SenderReport, nowMs: number): void {
    this.#lastReport = ntpMiddle;
    this.#lastReportMs = nowMs;
  }

  /** Packets that did not come in this stream, whether or not they were sent again in another. */
  get lost(): number {
    return this.#highest < 0 ? 0 : Math.max(0, this.#highest - this.#first + 1 - this.received);
  }

  report(nowMs: number): ReportBlock {
    const expected = this.#highest - this.#first + 1;
    const newExpected = expected - this.#reportedExpected;
    const newLost = newExpected - (this.received - this.#reportedReceived);
    this.#reportedExpected = expected;
    this.#reportedReceived = this.received;
    return {
      ssrc: this.ssrc,
      fractionLost: newExpected > 0 && newLost > 0 ? Math.min(255, Math.floor((newLost * 256) / newExpected)) : 0,
      packetsLost: expected - this.received,
      highestSequence: this.#highest % 2 ** 32,
      jitter: Math.min(0xffffffff, Math.round(this.#jitter)),
      lastReport: this.#lastReport,
      sinceLastReport:
        this.#lastReport === 0 ? 0 : Math.min(0xffffffff, Math.round((nowMs - this.#lastReportMs) * 65.536)),
    };
  }
}
