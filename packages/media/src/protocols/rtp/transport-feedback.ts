/** When packets arrived at a receiver, by the numbers that count all packets of a transport. */
export interface TransportFeedback {
  readonly type: 'transport-feedback';
  /** The number of the first; the others follow it one by one. */
  readonly base: number;
  /** On the receiver's clock; undefined for what has not arrived. */
  readonly arrivalsMs: readonly (number | undefined)[];
}

/** Of some seconds; whoever claims more is not listened to. */
const mostPackets = 4096;
const referenceMs = 64;
const deltaMs = 0.25;
const fixedBytes = 16;

/**
 * Reads what follows the header (draft-holmer-rmcat-transport-wide-cc-extensions, 3.1); undefined when it makes no sense.
 *
 *     ssrc:32  media ssrc:32  base:16  count:16  reference:24  feedback:8   chunk:16 …   delta:8 or 16 …
 *     chunk: 0 status:2 run:13 | 1 0 status:1 … | 1 1 status:2 …     status: 0 lost, 1 small delta, 2 large or negative
 */
export function parseTransportFeedback(body: Buffer): TransportFeedback | undefined {
  if (body.length < fixedBytes) return undefined;
  const count = body.readUInt16BE(10);
  if (count > mostPackets) return undefined;
  const statuses: number[] = [];
  let at = fixedBytes;
  while (statuses.length < count) {
    if (at + 2 > body.length) return undefined;
    addStatuses(statuses, body.readUInt16BE(at), count);
    at += 2;
  }
  let ms = body.readIntBE(12, 3) * referenceMs;
  const arrivalsMs: (number | undefined)[] = [];
  for (const status of statuses) {
    const bytes = status === 1 ? 1 : status === 2 ? 2 : 0;
    if (at + bytes > body.length) return undefined;
    if (bytes > 0) ms += (bytes === 1 ? body.readUInt8(at) : body.readInt16BE(at)) * deltaMs;
    arrivalsMs.push(bytes > 0 ? ms : undefined);
    at += bytes;
  }
  return { type: 'transport-feedback', base: body.readUInt16BE(8), arrivalsMs };
}

function addStatuses(statuses: number[], chunk: number, count: number): void {
  if (chunk >> 15 === 0) {
    for (let left = Math.min(chunk & 0x1fff, count - statuses.length); left > 0; left--)
      statuses.push((chunk >> 13) & 3);
    return;
  }
  const bits = (chunk >> 14) & 1 ? 2 : 1;
  for (let shift = 14 - bits; shift >= 0 && statuses.length < count; shift -= bits)
    statuses.push((chunk >> shift) & (bits === 2 ? 3 : 1));
}
