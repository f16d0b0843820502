/** Extended reports (RFC 3611): a receiver sends its time, the sender answers with how long it kept it. */
export const extendedReport = 207;
const referenceTimeBlock = 4;
const delayBlock = 5;
const delayEntryBytes = 12;
/** Entries that are read of one packet; a sender has one for each of its receivers. */
const mostEntries = 32;

/** Answer to a reference time: which one, and how long it was kept, both in 1/65536 s. */
export interface ReferenceAnswer {
  /** The receiver that is answered. */
  readonly ssrc: number;
  readonly lastReference: number;
  readonly sinceReference: number;
}

/** The answers in an extended report (RFC 3611, 4.5). */
export function parseReferenceAnswers(body: Buffer): ReferenceAnswer[] {
  const answers: ReferenceAnswer[] = [];
  for (let at = 4; at + 4 <= body.length; ) {
    const end = at + 4 + body.readUInt16BE(at + 2) * 4;
    if (end > body.length) break;
    if (body.readUInt8(at) === delayBlock) readEntries(body.subarray(at + 4, end), answers);
    at = end;
  }
  return answers;
}

function readEntries(entries: Buffer, into: ReferenceAnswer[]): void {
  for (let at = 0; at + delayEntryBytes <= entries.length && into.length < mostEntries; at += delayEntryBytes) {
    into.push({
      ssrc: entries.readUInt32BE(at),
      lastReference: entries.readUInt32BE(at + 4),
      sinceReference: entries.readUInt32BE(at + 8),
    });
  }
}

/** An answer older than this says nothing about the line of now. */
const freshMs = 10_000;
const mostRoundTripMs = 60_000;

/** Round trip to a sender, as its receiver measures it. Browsers answer; senders that do not have no round trip. */
export class RoundTrip {
  readonly #ssrc: number;
  #ms: number | undefined;
  #answeredMs = 0;

  constructor(ssrc: number) {
    this.#ssrc = ssrc;
  }

  /** Undefined until the sender answers, and when it no longer does. */
  get ms(): number | undefined {
    return this.#ms;
  }

  /** The time of now, to be answered (RFC 3611, 4.4). */
  writeReferenceTime(nowMs: number): Buffer {
    if (nowMs - this.#answeredMs > freshMs) this.#ms = undefined;
    const out = Buffer.alloc(20);
    out[0] = 0x80;
    out[1] = extendedReport;
    out.writeUInt16BE(4, 2);
    out.writeUInt32BE(this.#ssrc, 4);
    out[8] = referenceTimeBlock;
    out.writeUInt16BE(2, 10);
    const seconds = Math.floor(nowMs / 1000);
    out.writeUInt32BE(seconds % 2 ** 32, 12);
    out.writeUInt32BE(Math.floor(((nowMs - seconds * 1000) / 1000) * 2 ** 32), 16);
    return out;
  }

  onAnswers(answers: readonly ReferenceAnswer[], nowMs: number): void {
    for (const { ssrc, lastReference, sinceReference } of answers) {
      if (ssrc !== this.#ssrc || lastReference === 0) continue;
      const ms = ((middleOf(nowMs) - lastReference - sinceReference) | 0) / 65.536;
      if (ms < 0 || ms > mostRoundTripMs) continue;
      this.#ms = ms;
      this.#answeredMs = nowMs;
    }
  }
}

/** The middle 32 bits of a time with 32 bits of seconds and 32 bits of fractions. */
function middleOf(nowMs: number): number {
  return Math.floor((nowMs * 65.536) % 2 ** 32) >>> 0;
}
