import { MalformedMedia } from '../frame.ts';

/** Reads big-endian bit fields; running past the end is malformed input, never `undefined`. */
export class BitReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get bitsLeft(): number {
    return this.#bytes.length * 8 - this.#position;
  }

  /** Up to 32 bits, as an unsigned number. */
  bits(count: number): number {
    if (count > this.bitsLeft) throw new MalformedMedia('bit field runs past the end');
    let value = 0;
    let left = count;
    while (left > 0) {
      const offset = this.#position & 7;
      const width = Math.min(8 - offset, left);
      const byte = this.#bytes[this.#position >>> 3] ?? 0;
      // Multiplied, not shifted: a 32-bit field would turn negative.
      value = value * (1 << width) + ((byte >> (8 - offset - width)) & ((1 << width) - 1));
      this.#position += width;
      left -= width;
    }
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  skip(count: number): void {
    if (count > this.bitsLeft) throw new MalformedMedia('bit field runs past the end');
    this.#position += count;
  }

  alignToByte(): void {
    this.#position = (this.#position + 7) & ~7;
  }

  /** ue(v), H.264 9.1. Codes longer than 32 bits do not exist in any syntax we read. */
  unsignedGolomb(): number {
    let zeros = 0;
    while (!this.flag()) {
      zeros += 1;
      if (zeros > 31) throw new MalformedMedia('exp-Golomb code is too long');
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** se(v), H.264 9.1.1. */
  signedGolomb(): number {
    const code = this.unsignedGolomb();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}

/** The raw byte sequence payload of a NAL unit: `00 00 03` becomes `00 00` (H.264 7.4.1, H.265 7.4.2). */
export function withoutEmulationPrevention(nal: Buffer): Buffer {
  const out = Buffer.allocUnsafe(nal.length);
  let length = 0;
  let zeros = 0;
  for (let at = 0; at < nal.length; at++) {
    const byte = nal[at] ?? 0;
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}
