import { extendedReport, parseReferenceAnswers, type ReferenceAnswer } from './receiving/round-trip.ts';
import { parseTransportFeedback, type TransportFeedback, writeTransportFeedback } from './transport-feedback.ts';

/** Report block of a receiver about one sender (RFC 3550, 6.4.1). */
export interface ReportBlock {
  readonly ssrc: number;
  /** Lost since the last report, in 1/256. */
  readonly fractionLost: number;
  readonly packetsLost: number;
  readonly highestSequence: number;
  readonly jitter: number;
  /** The middle 32 bits of the last sender report's time, and how long ago it came, in 1/65536 s. */
  readonly lastReport: number;
  readonly sinceLastReport: number;
}

export interface SenderReport {
  readonly type: 'sender-report';
  readonly ssrc: number;
  /** Milliseconds since 1900 on the sender's clock. */
  readonly ntpMs: number;
  /** The middle 32 bits of that time, which a receiver gives back. */
  readonly ntpMiddle: number;
  readonly rtpTimestamp: number;
  readonly packets: number;
  readonly octets: number;
  readonly reports: readonly ReportBlock[];
}

/** The kinds of RTCP that are acted upon; others are stepped over. */
type Rtcp =
  | SenderReport
  | { readonly type: 'receiver-report'; readonly ssrc: number; readonly reports: readonly ReportBlock[] }
  | TransportFeedback
  | { readonly type: 'reference-answers'; readonly answers: readonly ReferenceAnswer[] }
  | { readonly type: 'nack'; readonly mediaSsrc: number; readonly sequences: readonly number[] }
  /** PLI and FIR ask for the same: a keyframe. */
  | { readonly type: 'keyframe-request'; readonly mediaSsrc: number }
  | { readonly type: 'bye'; readonly ssrcs: readonly number[] };

const senderReport = 200;
const receiverReport = 201;
const description = 202;
const goodbye = 203;
const transportFeedback = 205;
const payloadFeedback = 206;

/** More than a receiver can have missed and still hope for. */
const mostNacked = 512;
const reportBlockBytes = 24;

/** The packets of a compound (RFC 3550, 6.1); stops at the first that is cut off. */
export function parseRtcp(bytes: Buffer): Rtcp[] {
  const found: Rtcp[] = [];
  let at = 0;
  while (at + 4 <= bytes.length) {
    const first = bytes.readUInt8(at);
    const end = at + 4 + bytes.readUInt16BE(at + 2) * 4;
    if (first >> 6 !== 2 || end > bytes.length) break;
    const packet = parseOne(bytes.readUInt8(at + 1), first & 0x1f, bytes.subarray(at + 4, end));
    if (packet) found.push(packet);
    at = end;
  }
  return found;
}

/** True for a request for lost packets or a keyframe, which the receiver is waiting for. */
export function requestsMedia(bytes: Buffer): boolean {
  for (let at = 0; at + 4 <= bytes.length; at += 4 + bytes.readUInt16BE(at + 2) * 4) {
    const kind = bytes.readUInt8(at) & 0x1f;
    const type = bytes.readUInt8(at + 1);
    if (type === transportFeedback && kind === 1) return true;
    if (type === payloadFeedback && (kind === 1 || kind === 4)) return true;
  }
  return false;
}

function parseOne(type: number, count: number, body: Buffer): Rtcp | undefined {
  switch (type) {
    case senderReport:
      return parseSenderReport(count, body);
    case receiverReport:
      if (body.length < 4) return undefined;
      return { type: 'receiver-report', ssrc: body.readUInt32BE(0), reports: parseBlocks(count, body.subarray(4)) };
    case goodbye:
      return { type: 'bye', ssrcs: parseGoodbye(count, body) };
    case transportFeedback:
      if (count === 15) return parseTransportFeedback(body);
      if (count !== 1 || body.length < 8) return undefined;
      return { type: 'nack', mediaSsrc: body.readUInt32BE(4), sequences: parseNack(body.subarray(8)) };
    case payloadFeedback:
      if (body.length < 8) return undefined;
      if (count === 1) return { type: 'keyframe-request', mediaSsrc: body.readUInt32BE(4) };
      // A full intra request names its target in its first entry (RFC 5104, 4.3.1.1).
      if (count === 4 && body.length >= 12) return { type: 'keyframe-request', mediaSsrc: body.readUInt32BE(8) };
      return undefined;
    case extendedReport:
      return { type: 'reference-answers', answers: parseReferenceAnswers(body) };
    default:
      return undefined;
  }
}

function parseSenderReport(count: number, body: Buffer): SenderReport | undefined {
  if (body.length < 24) return undefined;
  const seconds = body.readUInt32BE(4);
  const fraction = body.readUInt32BE(8);
  return {
    type: 'sender-report',
    ssrc: body.readUInt32BE(0),
    ntpMs: seconds * 1000 + (fraction * 1000) / 2 ** 32,
    ntpMiddle: (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0,
    rtpTimestamp: body.readUInt32BE(12),
    packets: body.readUInt32BE(16),
    octets: body.readUInt32BE(20),
    reports: parseBlocks(count, body.subarray(24)),
  };
}

function parseBlocks(count: number, body: Buffer): ReportBlock[] {
  const blocks: ReportBlock[] = [];
  for (let at = 0; blocks.length < count && at + reportBlockBytes <= body.length; at += reportBlockBytes) {
    blocks.push({
      ssrc: body.readUInt32BE(at),
      fractionLost: body.readUInt8(at + 4),
      packetsLost: body.readIntBE(at + 5, 3),
      highestSequence: body.readUInt32BE(at + 8),
      jitter: body.readUInt32BE(at + 12),
      lastReport: body.readUInt32BE(at + 16),
      sinceLastReport: body.readUInt32BE(at + 20),
    });
  }
  return blocks;
}

function parseGoodbye(count: number, body: Buffer): number[] {
  const ssrcs: number[] = [];
  for (let at = 0; ssrcs.length < count && at + 4 <= body.length; at += 4) ssrcs.push(body.readUInt32BE(at));
  return ssrcs;
}

/** Entries of a number and a mask of the sixteen that follow it (RFC 4585, 6.2.1). */
function parseNack(body: Buffer): number[] {
  const sequences: number[] = [];
  for (let at = 0; at + 4 <= body.length && sequences.length < mostNacked; at += 4) {
    const first = body.readUInt16BE(at);
    sequences.push(first);
    for (let mask = body.readUInt16BE(at + 2), next = 1; mask !== 0; mask >>= 1, next++)
      if ((mask & 1) !== 0) sequences.push((first + next) & 0xffff);
  }
  return sequences;
}

interface SenderReportFacts {
  readonly ssrc: number;
  /** Milliseconds since 1970. */
  readonly wallMs: number;
  readonly rtpTimestamp: number;
  readonly packets: number;
  readonly octets: number;
}

/** NTP counts from 1900, our clocks from 1970. */
const ntpEpochSeconds = 2_208_988_800;

/** The middle 32 bits of a time as reports carry them. */
export function toNtpMiddle(wallMs: number): number {
  return Math.floor((((wallMs / 1000 + ntpEpochSeconds) % 65_536) * 65_536) % 2 ** 32) >>> 0;
}

export function writeSenderReport({ ssrc, wallMs, rtpTimestamp, packets, octets }: SenderReportFacts): Buffer {
  const out = header(senderReport, 0, 28);
  out.writeUInt32BE(ssrc, 4);
  const seconds = Math.floor(wallMs / 1000);
  out.writeUInt32BE((seconds + ntpEpochSeconds) % 2 ** 32, 8);
  out.writeUInt32BE(Math.floor(((wallMs - seconds * 1000) / 1000) * 2 ** 32) % 2 ** 32, 12);
  out.writeUInt32BE(rtpTimestamp >>> 0, 16);
  out.writeUInt32BE(packets % 2 ** 32, 20);
  out.writeUInt32BE(octets % 2 ** 32, 24);
  return out;
}

export function writeReceiverReport(ssrc: number, blocks: readonly ReportBlock[]): Buffer {
  const out = header(receiverReport, blocks.length, 8 + blocks.length * reportBlockBytes);
  out.writeUInt32BE(ssrc, 4);
  let at = 8;
  for (const block of blocks) {
    out.writeUInt32BE(block.ssrc, at);
    out.writeUInt8(block.fractionLost, at + 4);
    out.writeIntBE(Math.max(-0x800000, Math.min(0x7fffff, block.packetsLost)), at + 5, 3);
    out.writeUInt32BE(block.highestSequence >>> 0, at + 8);
    out.writeUInt32BE(block.jitter >>> 0, at + 12);
    out.writeUInt32BE(block.lastReport >>> 0, at + 16);
    out.writeUInt32BE(block.sinceLastReport >>> 0, at + 20);
    at += reportBlockBytes;
  }
  return out;
}

/** The canonical name of a sender, which every compound holds (RFC 3550, 6.5). */
export function writeCname(ssrc: number, cname: string): Buffer {
  const name = Buffer.from(cname, 'utf8').subarray(0, 255);
  const unpadded = 4 + 4 + 2 + name.length + 1;
  const out = header(description, 1, Math.ceil(unpadded / 4) * 4);
  out.writeUInt32BE(ssrc, 4);
  out[8] = 1;
  out[9] = name.length;
  name.copy(out, 10);
  return out;
}

/** Asks for packets again (RFC 4585, 6.2.1). The numbers ascend, but for the wrap. */
export function writeNack(ssrc: number, mediaSsrc: number, sequences: readonly number[]): Buffer {
  const entries: { first: number; mask: number }[] = [];
  for (const sequence of sequences) {
    const entry = entries.at(-1);
    const distance = entry ? (sequence - entry.first - 1) & 0xffff : 16;
    if (entry && distance < 16) entry.mask |= 1 << distance;
    else entries.push({ first: sequence & 0xffff, mask: 0 });
  }
  const out = header(transportFeedback, 1, 12 + entries.length * 4);
  out.writeUInt32BE(ssrc, 4);
  out.writeUInt32BE(mediaSsrc, 8);
  for (const [index, { first, mask }] of entries.entries()) {
    out.writeUInt16BE(first, 12 + index * 4);
    out.writeUInt16BE(mask, 14 + index * 4);
  }
  return out;
}

/** Tells when packets arrived (draft-holmer-rmcat-transport-wide-cc-extensions, 3.1). */
export function writeArrivals(...given: Parameters<typeof writeTransportFeedback>): Buffer {
  const body = writeTransportFeedback(...given);
  return Buffer.concat([header(transportFeedback, 15, 4 + body.length).subarray(0, 4), body]);
}

/** Asks for a keyframe (RFC 4585, 6.3.1). */
export function writePli(ssrc: number, mediaSsrc: number): Buffer {
  const out = header(payloadFeedback, 1, 12);
  out.writeUInt32BE(ssrc, 4);
  out.writeUInt32BE(mediaSsrc, 8);
  return out;
}

/**
 * The bitrate a sender may use at most (draft-alvestrand-rmcat-remb):
 *
 *     'REMB'  count:8  exponent:6  mantissa:18  ssrc:32 …
 */
export function writeRemb(ssrc: number, bitsPerSecond: number, mediaSsrcs: readonly number[]): Buffer {
  const out = header(payloadFeedback, 15, 20 + mediaSsrcs.length * 4);
  out.writeUInt32BE(ssrc, 4);
  out.write('REMB', 12, 'latin1');
  let exponent = 0;
  let mantissa = Math.floor(bitsPerSecond);
  for (; mantissa > 0x3ffff; mantissa = Math.floor(mantissa / 2)) exponent += 1;
  out.writeUInt32BE(((mediaSsrcs.length << 24) | (exponent << 18) | mantissa) >>> 0, 16);
  for (const [index, media] of mediaSsrcs.entries()) out.writeUInt32BE(media, 20 + index * 4);
  return out;
}

function header(type: number, count: number, bytes: number): Buffer {
  const out = Buffer.alloc(bytes);
  out[0] = 0x80 | count;
  out[1] = type;
  out.writeUInt16BE(bytes / 4 - 1, 2);
  return out;
}
