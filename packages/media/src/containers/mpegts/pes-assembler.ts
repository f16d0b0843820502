import { MalformedMedia } from '../../frame.ts';
import { readTimestamp } from './timestamps.ts';

/** PES packet; `data` is valid until the next one starts. */
export interface PesPacket {
  /** 33 bits of 90 kHz; undefined where the packet does not tell. */
  readonly pts90k: number | undefined;
  readonly dts90k: number | undefined;
  readonly data: Buffer;
}

const maxPesBytes = 8 * 1024 * 1024;
const initialBytes = 64 * 1024;
/** PES packets that must have ended with stuffing before stuffing counts as the end. */
const stuffedEndsToTrust = 8;

/** Puts the PES packets of one PID together, in one buffer that grows with the largest of them. */
export class PesAssembler {
  #bytes = Buffer.allocUnsafe(initialBytes);
  #length = 0;
  /** The whole packet, or 0 while it is not known or has no end of its own. */
  #expected = 0;
  #isOpen = false;
  /** True if the last appended transport packet was padded with stuffing. */
  #isStuffed = false;
  #stuffedEnds = 0;
  #hasStuffingMidway = false;

  /** Drops what was begun: packets are missing from it. */
  drop(): void {
    this.#isOpen = false;
    this.#length = 0;
    this.#isStuffed = false;
  }

  begin(): void {
    if (this.#isStuffed) this.#stuffedEnds += 1;
    this.#isOpen = true;
    this.#length = 0;
    this.#expected = 0;
    this.#isStuffed = false;
  }

  /** Takes part of a packet. By offsets, because a view would cost more than the copy. */
  append(bytes: Buffer, start: number, end: number, isStuffed = false): void {
    if (this.#isStuffed) this.#hasStuffingMidway = true;
    this.#isStuffed = isStuffed;
    if (!this.#isOpen) return;
    const length = this.#length + end - start;
    if (length > maxPesBytes) throw new MalformedMedia('PES packet is too long');
    if (length > this.#bytes.length) this.#grow(length);
    bytes.copy(this.#bytes, this.#length, start, end);
    this.#length = length;
    if (this.#expected === 0 && length >= 6) {
      const announced = this.#bytes.readUInt16BE(4);
      this.#expected = announced === 0 ? 0 : 6 + announced;
    }
  }

  /**
   * True if the packet is complete: by its declared length, or by stuffing. Encoders leave the length of video out and
   * pad only the last transport packet of a frame; waiting for the next frame would cost a frame of delay.
   */
  get isWhole(): boolean {
    if (!this.#isOpen) return false;
    if (this.#expected > 0) return this.#length >= this.#expected;
    return this.#length >= 6 && this.#isStuffed && !this.#hasStuffingMidway && this.#stuffedEnds >= stuffedEndsToTrust;
  }

  /** Returns the assembled PES packet. A packet that lost its end is returned only on request. */
  finish(mayBeCut = false): PesPacket | undefined {
    const isUsable = this.#isOpen && (mayBeCut || this.#length >= this.#expected);
    const end = this.#expected > 0 ? Math.min(this.#expected, this.#length) : this.#length;
    this.#isOpen = false;
    return isUsable ? readPes(this.#bytes.subarray(0, end)) : undefined;
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafe(Math.min(maxPesBytes, Math.max(length, this.#bytes.length * 2)));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** ISO 13818-1, 2.4.3.6: `000001 id  length:16  10 … | pts dts …  | headerLength | pts dts … stuffing | data`. */
function readPes(bytes: Buffer): PesPacket | undefined {
  if (bytes.length < 9 || bytes.readUIntBE(0, 3) !== 1 || bytes.readUInt8(6) >> 6 !== 2) return undefined;
  const flags = bytes.readUInt8(7) >> 6;
  const dataStart = 9 + bytes.readUInt8(8);
  const needed = flags === 3 ? 19 : flags === 2 ? 14 : 9;
  if (dataStart < needed || dataStart > bytes.length) return undefined;
  const pts90k = flags >= 2 ? readTimestamp(bytes, 9) : undefined;
  const dts90k = flags === 3 ? readTimestamp(bytes, 14) : pts90k;
  return { pts90k, dts90k, data: bytes.subarray(dataStart) };
}
