import type { Arena, Region } from '../native/arena.ts';
import { readTimespecMs } from './arrival-time.ts';

/** Datagrams of one call. */
export const mostDatagrams = 32;

/**
 * Structures of `recvmmsg` (Linux, 64 bits), one set per datagram:
 *
 *     mmsghdr  64   name:64  nameLength:32 -:32  iovec:64  iovecs:64  control:64  controlLength:64  flags:32 -:32  got:32 -:32
 *     iovec    16   base:64  length:64
 *     cmsghdr  32   length:64  level:32  type:32  seconds:64  nanoseconds:64
 *     address  32
 */
const headerBytes = 64;
const vectorBytes = 16;
const controlBytes = 64;
const addressBytes = 32;
const datagramBytes = 2048;

export const receiveBytes = mostDatagrams * (headerBytes + vectorBytes + controlBytes + addressBytes + datagramBytes);

/** Numbers of Linux. */
const truncated = 0x20;
const timeMessage = { level: 1, type: 35, length: 32 } as const;

/** View of the memory into which datagrams are received. Lengths from the system are checked against its bounds. */
export class ReceiveStructures {
  readonly #arena: Arena;
  readonly #headers: number;
  readonly #controls: number;
  readonly #addresses: number;
  readonly #data: number;

  constructor(arena: Arena, { at, length }: Region) {
    if (length < receiveBytes) throw new RangeError('no room for datagrams');
    this.#arena = arena;
    this.#headers = at;
    const vectors = at + mostDatagrams * headerBytes;
    this.#controls = vectors + mostDatagrams * vectorBytes;
    this.#addresses = this.#controls + mostDatagrams * controlBytes;
    this.#data = this.#addresses + mostDatagrams * addressBytes;
    arena.bytes.fill(0, at, at + length);
    for (let slot = 0; slot < mostDatagrams; slot++) this.#prepare(slot, vectors + slot * vectorBytes);
  }

  /** Address of all headers. */
  get address(): number {
    return this.#arena.address(this.#headers, mostDatagrams * headerBytes);
  }

  /** A datagram, the receiver's to keep; undefined when it was longer than any that is meant for us. */
  datagram(slot: number): Buffer | undefined {
    const { view, bytes } = this.#arena;
    const header = this.#header(slot);
    const length = view.getUint32(header + 56, true);
    if ((view.getUint32(header + 48, true) & truncated) !== 0 || length > datagramBytes) return undefined;
    const at = this.#data + slot * datagramBytes;
    return Buffer.from(bytes.subarray(at, at + length));
  }

  /** The address it came from, as the system writes it: octet by octet a character. */
  from(slot: number): string {
    const length = Math.min(this.#arena.view.getUint32(this.#header(slot) + 8, true), addressBytes);
    const at = this.#addresses + slot * addressBytes;
    return this.#arena.bytes.toString('latin1', at, at + length);
  }

  /** When it came, on the clock of the wall; undefined where the system does not tell. */
  cameMs(slot: number): number | undefined {
    const { view } = this.#arena;
    const control = this.#controls + slot * controlBytes;
    const isTold =
      view.getUint32(this.#header(slot) + 40, true) >= timeMessage.length &&
      view.getUint32(control, true) === timeMessage.length &&
      view.getUint32(control + 8, true) === timeMessage.level &&
      view.getUint32(control + 12, true) === timeMessage.type;
    return isTold ? readTimespecMs(this.#arena, control + 16) : undefined;
  }

  /** The system wrote how much there was; the next call shall have all of the room again. */
  renew(slot: number): void {
    const { view } = this.#arena;
    const header = this.#header(slot);
    view.setUint32(header + 8, addressBytes, true);
    view.setUint32(header + 40, controlBytes, true);
    view.setUint32(header + 48, 0, true);
  }

  #header(slot: number): number {
    if (!(slot >= 0 && slot < mostDatagrams)) throw new RangeError('no such datagram');
    return this.#headers + slot * headerBytes;
  }

  #prepare(slot: number, vector: number): void {
    const arena = this.#arena;
    const header = this.#header(slot);
    arena.writeWord(header, arena.address(this.#addresses + slot * addressBytes, addressBytes));
    arena.writeWord(header + 16, arena.address(vector, vectorBytes));
    arena.writeWord(header + 24, 1);
    arena.writeWord(header + 32, arena.address(this.#controls + slot * controlBytes, controlBytes));
    arena.writeWord(vector, arena.address(this.#data + slot * datagramBytes, datagramBytes));
    arena.writeWord(vector + 8, datagramBytes);
    this.renew(slot);
  }
}
