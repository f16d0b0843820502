import { timestampModulus } from './mpegts-constants.ts';

/** Milliseconds → the 90 kHz clock, before it is cut to 33 bits. */
export function to90k(ms: number): number {
  return Math.round(ms * 90);
}

export function wrap33(ticks90k: number): number {
  const rest = ticks90k % timestampModulus;
  return rest < 0 ? rest + timestampModulus : rest;
}

/**
 * PTS or DTS in a PES header (ISO 13818-1, 2.4.3.6), 33 bits in three parts with marker bits between:
 *
 *     prefix:4  [32..30]  1 | [29..22] | [21..15]  1 | [14..7] | [6..0]  1
 */
export function writeTimestamp(out: Buffer, at: number, prefix: number, ticks90k: number): void {
  const wrapped = wrap33(ticks90k);
  const low = wrapped % 0x40000000;
  const high = (wrapped - low) / 0x40000000;
  out[at] = (prefix << 4) | (high << 1) | 1;
  out[at + 1] = low >> 22;
  out[at + 2] = ((low >> 14) & 0xfe) | 1;
  out[at + 3] = (low >> 7) & 0xff;
  out[at + 4] = ((low << 1) & 0xfe) | 1;
}

export function readTimestamp(bytes: Buffer, at: number): number {
  const high = (bytes.readUInt8(at) >> 1) & 7;
  const middle = bytes.readUInt16BE(at + 1) >> 1;
  const low = bytes.readUInt16BE(at + 3) >> 1;
  return high * 0x40000000 + middle * 0x8000 + low;
}

/** PCR in an adaptation field: base:33  reserved:6  extension:9, the extension counting 27 MHz ticks we do not have. */
export function writePcr(out: Buffer, at: number, ticks90k: number): void {
  const wrapped = wrap33(ticks90k);
  const odd = wrapped % 2;
  const high = (wrapped - odd) / 2;
  out[at] = high >>> 24;
  out[at + 1] = (high >>> 16) & 0xff;
  out[at + 2] = (high >>> 8) & 0xff;
  out[at + 3] = high & 0xff;
  out[at + 4] = (odd << 7) | 0x7e;
  out[at + 5] = 0;
}

/** Makes a clock of 33 bits count on: each reading is taken to be within 13 hours of the one before. */
export class TimestampUnwrapper {
  #last: number | undefined;

  unwrap(wrapped: number): number {
    if (this.#last === undefined) {
      this.#last = wrapped;
      return wrapped;
    }
    const turns = Math.round((this.#last - wrapped) / timestampModulus);
    this.#last = wrapped + turns * timestampModulus;
    return this.#last;
  }
}
