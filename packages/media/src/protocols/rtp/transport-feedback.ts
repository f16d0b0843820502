/** When packets arrived at a receiver, by the numbers that count all packets of a transport. */
export interface TransportFeedback {
  readonly type: 'transport-feedback';
  /** The number of the first; the others follow it one by one. */
  readonly base: number;
  /** On the receiver's clock; undefined for what has not arrived. */
  readonly arrivalsMs: readonly (number | undefined)[];
}

/** Packets of some seconds; feedback that claims more is ignored. */
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

/** Reads the status of each packet, in chunks of seven or in runs of equal ones. */
const chunkStatuses = 7;
const longestRun = 0x1fff;

/** The body of such a packet, for what arrived from `base` on; the first did. `count` numbers the feedback itself. */
export function writeTransportFeedback(
  ssrcs: { readonly ours: number; readonly media: number },
  { base, arrivalsMs }: Omit<TransportFeedback, 'type'>,
  count: number,
): Buffer {
  const reference = Math.floor((arrivalsMs[0] ?? 0) / referenceMs);
  const deltas: Buffer[] = [];
  let ticks = (reference * referenceMs) / deltaMs;
  const statuses = arrivalsMs.map((ms) => {
    if (ms === undefined) return 0;
    const at = Math.round(ms / deltaMs);
    const delta = Math.max(-0x8000, Math.min(0x7fff, at - ticks));
    ticks += delta;
    const isSmall = delta >= 0 && delta <= 0xff;
    deltas.push(isSmall ? Buffer.of(delta) : Buffer.of((delta >> 8) & 0xff, delta & 0xff));
    return isSmall ? 1 : 2;
  });
  const head = Buffer.alloc(fixedBytes);
  head.writeUInt32BE(ssrcs.ours, 0);
  head.writeUInt32BE(ssrcs.media, 4);
  head.writeUInt16BE(base & 0xffff, 8);
  head.writeUInt16BE(statuses.length, 10);
  head.writeUIntBE(reference & 0xff_ffff, 12, 3);
  head[15] = count & 0xff;
  const body = Buffer.concat([head, ...chunksOf(statuses), ...deltas]);
  return Buffer.concat([body, Buffer.alloc(-body.length & 3)]);
}

function chunksOf(statuses: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < statuses.length; ) {
    const status = statuses[at] ?? 0;
    let run = 1;
    while (run < longestRun && statuses[at + run] === status) run += 1;
    const isRun = run >= chunkStatuses || at + run === statuses.length;
    let chunk = isRun ? (status << 13) | run : 0xc000;
    if (!isRun) for (let n = 0; n < chunkStatuses; n++) chunk |= (statuses[at + n] ?? 0) << (12 - 2 * n);
    chunks.push(Buffer.of(chunk >> 8, chunk & 0xff));
    at += isRun ? run : chunkStatuses;
  }
  return chunks;
}
