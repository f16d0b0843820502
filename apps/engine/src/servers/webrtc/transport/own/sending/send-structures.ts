import type { Arena, Region } from '../native/arena.ts';

/** Messages of one call. */
export const mostMessages = 64;

/**
 * What `sendmmsg` reads (Linux, 64 bits), for so many messages:
 *
 *     mmsghdr  64   name:64  nameLength:32 -:32  iovec:64  iovecs:64  control:64  controlLength:64  flags:32 -:32  sent:32 -:32
 *     iovec    16   base:64  length:64
 *     cmsghdr  24   length:64  level:32  type:32  segment:16 -:48
 *     address  32
 */
const headerBytes = 64;
const vectorBytes = 16;
const controlBytes = 24;
const addressBytes = 32;

const udpLevel = 17;
const udpSegment = 103;
const controlLength = 18;

export class SendStructures {
  readonly #arena: Arena;
  readonly #headers: number;
  readonly #vectors: number;
  readonly #controls: number;
  readonly #addresses: number;

  constructor(arena: Arena, { at, length }: Region) {
    if (length < mostMessages * (headerBytes + vectorBytes + controlBytes + addressBytes))
      throw new RangeError('no room for messages');
    this.#arena = arena;
    this.#headers = at;
    this.#vectors = at + mostMessages * headerBytes;
    this.#controls = this.#vectors + mostMessages * vectorBytes;
    this.#addresses = this.#controls + mostMessages * controlBytes;
    arena.bytes.fill(0, at, at + length);
    for (let slot = 0; slot < mostMessages; slot++) this.#prepare(slot);
  }

  /** From this message on. */
  address(slot: number, count: number): number {
    return this.#arena.address(this.#headers + slot * headerBytes, count * headerBytes);
  }

  /** So many octets of the arena to that address; cut by the kernel into segments where they are more than one. */
  write(slot: number, to: Buffer, at: number, length: number, segment: number): void {
    if (slot >= mostMessages || to.length > addressBytes) throw new RangeError('no such message');
    const { bytes, view } = this.#arena;
    const header = this.#headers + slot * headerBytes;
    const vector = this.#vectors + slot * vectorBytes;
    const isCut = segment < length;
    bytes.set(to, this.#addresses + slot * addressBytes);
    view.setUint32(header + 8, to.length, true);
    // A single segment is sent without: some interfaces refuse the rest.
    view.setUint32(header + 40, isCut ? controlBytes : 0, true);
    if (isCut) view.setUint16(this.#controls + slot * controlBytes + 16, segment, true);
    this.#arena.writeWord(vector, this.#arena.address(at, length));
    view.setUint32(vector + 8, length, true);
  }

  #prepare(slot: number): void {
    const arena = this.#arena;
    const header = this.#headers + slot * headerBytes;
    const vector = this.#vectors + slot * vectorBytes;
    const control = this.#controls + slot * controlBytes;
    arena.writeWord(header, arena.address(this.#addresses + slot * addressBytes, addressBytes));
    arena.writeWord(header + 16, arena.address(vector, vectorBytes));
    arena.writeWord(header + 24, 1);
    arena.writeWord(header + 32, arena.address(control, controlBytes));
    arena.writeWord(control, controlLength);
    arena.bytes.writeUInt32LE(udpLevel, control + 8);
    arena.bytes.writeUInt32LE(udpSegment, control + 12);
  }
}
