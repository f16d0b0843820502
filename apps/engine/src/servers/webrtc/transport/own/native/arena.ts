/** Around every region, and looked at by `check`. */
const guardBytes = 64;
const guardOctet = 0xa5;

/** A piece of the arena: where it begins, and how long it is. */
export interface Region {
  readonly at: number;
  readonly length: number;
}

/** Native memory that stays where it is for as long as the process runs. */
export interface FixedMemory {
  readonly bytes: Buffer;
  readonly address: number;
}

/**
 * All memory that native code reads or writes on our behalf. It is allocated once and never moves or goes; addresses exist
 * only as the result of `address`, which checks that what begins there lies in the arena as a whole.
 */
export class Arena {
  readonly bytes: Buffer;
  /** The same, for single numbers: much faster than through the buffer. */
  readonly view: DataView;
  readonly #base: number;
  readonly #regions: Region[] = [];
  #end = guardBytes;

  constructor({ bytes, address }: FixedMemory) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#base = address;
    bytes.fill(guardOctet, 0, guardBytes);
  }

  /** A region of its own, on a border that every structure may begin at. */
  region(length: number): Region {
    const at = this.#end;
    const end = at + Math.ceil(length / 16) * 16;
    if (!(length > 0) || end + guardBytes > this.bytes.length) throw new RangeError('the arena is full');
    this.bytes.fill(guardOctet, end, end + guardBytes);
    this.#end = end + guardBytes;
    const region = { at, length: end - at };
    this.#regions.push(region);
    return region;
  }

  /** The address of so many octets from there on. Throws when they are not all inside. */
  address(at: number, length: number): number {
    if (!(at >= guardBytes && length >= 0 && at + length <= this.#end - guardBytes))
      throw new RangeError('outside the arena');
    return this.#base + at;
  }

  /** Sixty-four bits, lowest first, as pointers and sizes are. */
  writeWord(at: number, value: number): void {
    this.view.setUint32(at, value % 2 ** 32, true);
    this.view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
  }

  /** True if nothing was written between the regions. */
  get isIntact(): boolean {
    const isGuard = (from: number) =>
      this.bytes.subarray(from, from + guardBytes).every((octet) => octet === guardOctet);
    return isGuard(0) && this.#regions.every(({ at, length }) => isGuard(at + length));
  }
}
