import { randomBytes, randomInt } from 'node:crypto';

/** Numbers that the offer of a hostile publisher gives to what it sends. */
export const hostileTypes = { video: 96, repair: 97 } as const;
export const hostileExtensions = { transport: 4, rid: 10, repairedRid: 11 } as const;

/** More sources than the server keeps of one peer. */
const sources = 40;
const largestBody = 1100;

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

/** Writes RTP and RTCP that has the shape of something real, with lengths, counts and orders that make no sense. */
export class HostilePackets {
  readonly #sequences = Array.from({ length: sources }, () => randomInt(0x8000));

  /** A packet of media: numbers of one source only go forward, which its encryption demands, but not one by one. */
  rtp(): Buffer {
    const source = randomInt(sources);
    const sequence = (this.#sequences[source] ?? 0) + pick([1, 1, 1, 2, 30, 600, 5000, 20_000]);
    this.#sequences[source] = sequence;
    const body = pick([
      singleNal,
      aggregated,
      fragment,
      repaired,
      () => randomBytes(randomInt(largestBody)),
      nothing,
    ])();
    const contributors = pick([0, 0, 0, 1, 15]);
    const hasExtension = randomInt(2) === 1;
    const hasPadding = randomInt(4) === 0;
    const head = Buffer.alloc(12 + contributors * 4, 0x11);
    head[0] = 0x80 | (hasPadding ? 0x20 : 0) | (hasExtension ? 0x10 : 0) | contributors;
    head[1] = pick([hostileTypes.video, hostileTypes.video, hostileTypes.repair, randomInt(64)]) | pick([0, 0x80]);
    head.writeUInt16BE(sequence & 0xffff, 2);
    head.writeUInt32BE(pick([0, 3000 * sequence, 0xffff_ffff, randomInt(2 ** 32)]) % 2 ** 32, 4);
    head.writeUInt32BE(1000 + source, 8);
    const padding = hasPadding ? Buffer.of(pick([0, 1, 4, 200, 255])) : nothing();
    return Buffer.concat([head, hasExtension ? extension() : nothing(), body, padding]);
  }

  /** A compound of reports and requests. */
  rtcp(): Buffer {
    return Buffer.concat(Array.from({ length: pick([1, 1, 2, 5]) }, control));
  }
}

const nothing = () => Buffer.alloc(0);
const singleNal = () =>
  Buffer.concat([Buffer.of(pick([0x65, 0x67, 0x68, 0x41, 0, 0x1e, 0xff])), randomBytes(randomInt(largestBody))]);

/** STAP-A whose units are longer than the packet, empty, or thousands. */
function aggregated(): Buffer {
  const units = Array.from({ length: pick([1, 3, 300]) }, () => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(pick([0, 1, 2, 0xffff]));
    return Buffer.concat([length, randomBytes(pick([0, 1, 2]))]);
  });
  return Buffer.concat([Buffer.of(0x78), ...units]);
}

/** FU-A: a beginning after a beginning, an end of nothing, both at once, or no payload. */
const fragment = () =>
  Buffer.concat([Buffer.of(0x7c, pick([0x85, 0x05, 0x45, 0xc5, 0x80, 0x1f])), randomBytes(randomInt(largestBody))]);

/** RTX of packets that never were, or without a number. */
const repaired = () => randomBytes(pick([0, 1, 2, 3, 500]));

/** Header extensions whose elements end behind the header, with names of layers that were not agreed. */
function extension(): Buffer {
  const words = pick([0, 1, 2, 8, 60]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(pick([0xbede, 0xbede, 0x1000, 0x100f, randomInt(0x1_0000)]), 0);
  head.writeUInt16BE(words, 2);
  const elements = randomBytes(words * 4);
  const { transport, rid, repairedRid } = hostileExtensions;
  if (words > 0) elements[0] = (pick([transport, rid, repairedRid, 15, 0]) << 4) | randomInt(16);
  return Buffer.concat([head, elements]);
}

const receiverKinds: readonly (readonly [type: number, count: number])[] = [
  [200, 31], // Sender report that claims 31 blocks.
  [201, 31],
  [202, 31],
  [203, 31],
  [205, 1], // NACK.
  [205, 15], // Arrivals of packets.
  [206, 1], // PLI.
  [206, 4], // FIR.
  [206, 15], // REMB.
  [207, 0],
];

function control(): Buffer {
  const [type, count] = pick([...receiverKinds, [randomInt(192, 224), randomInt(32)] as const]);
  const words = pick([1, 2, 3, 6, 40, 250]);
  const out = randomBytes(4 + words * 4);
  // Blocks of ones ask for every packet, and tell of 65,535 arrivals.
  if (randomInt(2) === 0) out.fill(0xff, Math.min(12, out.length));
  out[0] = pick([0x80, 0x80, 0x80, 0xa0, 0x40]) | count;
  out[1] = type;
  out.writeUInt16BE(pick([words, words, words, 0, words - 1, 0xffff]), 2);
  if (type === 206 && count === 15 && words >= 4) out.write('REMB', 12, 'latin1');
  return out;
}
