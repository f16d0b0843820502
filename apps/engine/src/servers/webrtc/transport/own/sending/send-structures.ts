import type { Arena, Region } from '../native/arena.ts';

/** Messages of one call. */
export const mostMessages = 64;

/**
 * Structures of `sendmmsg` (Linux, 64 bits), one set per message:
 *
 *     mmsghdr  64   name:64  nameLength:32 -:32  iovec:64  iovecs:64  control:64  controlLength:64  flags:32 -:32  sent:32 -:32
 *     iovec    16   base:64  length:64
 *     cmsghdr  24   length:64  level:32  type:32  segment:16 -:48
 *     cmsghdr  40   length:64  level:32  type:32  address:128  interface:32 -:32
 *              32   length:64  level:32  type:32  interface:32  address:32  -:32 -:32       (IPv4 socket)
 *     address  32
 */
const headerBytes = 64;
const vectorBytes = 16;
const segmentBytes = 24;
const sourceBytes = 40;
const controlBytes = segmentBytes + sourceBytes;
const addressBytes = 32;

/** Numbers of Linux: which message tells what, and how long it is before it is filled up. */
const segmentMessage = { level: 17, type: 103, length: 18 } as const;
const sourceMessages = {
  4: { level: 0, type: 8, length: 28, room: 32, addressAt: 20 },
  16: { level: 41, type: 50, length: 36, room: 40, addressAt: 16 },
} as const;

interface To {
  readonly address: Buffer;
  readonly source?: Buffer | undefined;
}

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

  /** Describes a message from the arena to that address; the kernel cuts it where it is longer than a segment. */
  write(slot: number, { address, source }: To, at: number, length: number, segment: number): void {
    if (slot >= mostMessages || address.length > addressBytes) throw new RangeError('no such message');
    const { bytes, view } = this.#arena;
    const header = this.#headers + slot * headerBytes;
    const vector = this.#vectors + slot * vectorBytes;
    const control = this.#controls + slot * controlBytes;
    const isCut = segment < length;
    bytes.set(address, this.#addresses + slot * addressBytes);
    view.setUint32(header + 8, address.length, true);
    if (isCut) view.setUint16(control + 16, segment, true);
    const sourceRoom = source ? this.#writeSource(control + segmentBytes, source) : 0;
    // A single segment is sent without the first message: some interfaces refuse the rest.
    const controlAt = isCut ? control : control + segmentBytes;
    this.#arena.writeWord(header + 32, this.#arena.address(controlAt, controlBytes - segmentBytes));
    view.setUint32(header + 40, (isCut ? segmentBytes : 0) + sourceRoom, true);
    this.#arena.writeWord(vector, this.#arena.address(at, length));
    view.setUint32(vector + 8, length, true);
  }

  /** The address that a message leaves from; its interface is the system's choice. */
  #writeSource(at: number, source: Buffer): number {
    const { bytes } = this.#arena;
    const message = sourceMessages[source.length === 4 ? 4 : 16];
    if (message.addressAt + source.length > sourceBytes) throw new RangeError('no such address');
    bytes.fill(0, at, at + sourceBytes);
    this.#arena.writeWord(at, message.length);
    bytes.writeUInt32LE(message.level, at + 8);
    bytes.writeUInt32LE(message.type, at + 12);
    bytes.set(source, at + message.addressAt);
    return message.room;
  }

  #prepare(slot: number): void {
    const arena = this.#arena;
    const header = this.#headers + slot * headerBytes;
    const vector = this.#vectors + slot * vectorBytes;
    const control = this.#controls + slot * controlBytes;
    arena.writeWord(header, arena.address(this.#addresses + slot * addressBytes, addressBytes));
    arena.writeWord(header + 16, arena.address(vector, vectorBytes));
    arena.writeWord(header + 24, 1);
    arena.writeWord(control, segmentMessage.length);
    arena.bytes.writeUInt32LE(segmentMessage.level, control + 8);
    arena.bytes.writeUInt32LE(segmentMessage.type, control + 12);
  }
}
