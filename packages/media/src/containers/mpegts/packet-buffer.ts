/** Packets one after the other in one piece of memory, which grows as they come. */
export class PacketBuffer {
  #memory: Buffer;
  readonly #leadBytes: number;
  #length: number;

  /** `expectedBytes`: initial size. `leadBytes`: space in front for the caller. */
  constructor(expectedBytes = 0, leadBytes = 0) {
    this.#memory = Buffer.allocUnsafeSlow(leadBytes + expectedBytes);
    this.#leadBytes = leadBytes;
    this.#length = leadBytes;
  }

  /** Write position, including the lead. */
  get length(): number {
    return this.#length;
  }

  /** Buffer for writing; valid until the next `reserve`. */
  get memory(): Buffer {
    return this.#memory;
  }

  /** Makes room for as many bytes behind what there is, and returns where they go. */
  reserve(bytes: number): number {
    const start = this.#length;
    this.#length += bytes;
    if (this.#length > this.#memory.length) this.#grow();
    return start;
  }

  /** Takes back what was reserved from `start` on. */
  undo(start: number): void {
    this.#length = start;
  }

  /** The packets, without a copy where little memory would be wasted. Nothing may be written after it. */
  finish(): Buffer {
    return this.finishWithLead().subarray(this.#leadBytes);
  }

  /** The same, behind the room that was to be left. */
  finishWithLead(): Buffer {
    const bytes = this.#memory.subarray(0, this.#length);
    return this.#memory.length - this.#length <= this.#length >> 3 ? bytes : Buffer.from(bytes);
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#length, this.#memory.length * 2));
    this.#memory.copy(larger);
    this.#memory = larger;
  }
}
