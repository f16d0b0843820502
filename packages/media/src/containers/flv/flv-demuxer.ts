import { type Demuxed, MalformedMedia } from '../../frame.ts';
import { FlvBodyReader } from './flv-body-reader.ts';
import type { FlvKind } from './flv-codec.ts';

interface FlvLimits {
  readonly maxTagBytes: number;
  readonly maxHeaderBytes: number;
}

const defaultLimits: FlvLimits = { maxTagBytes: 8 * 1024 * 1024, maxHeaderBytes: 1024 };
const fileHeaderBytes = 9;
const backPointerBytes = 4;
const tagHeaderBytes = 11;
const nothing = Buffer.alloc(0);

/** An FLV file, or an FLV stream over HTTP, in pieces of any size. */
export class FlvDemuxer {
  readonly #limits: FlvLimits;
  readonly #bodies = new FlvBodyReader();
  /** The begin of what is not complete: the first `#filled` bytes of a buffer with room for all of it. */
  #partial: Buffer = nothing;
  #filled = 0;
  #hasHeader = false;

  constructor(limits: Partial<FlvLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  push(chunk: Buffer): Demuxed[] {
    const items: Demuxed[] = [];
    let offset = this.#filled > 0 ? this.#complete(chunk, items) : 0;
    while (this.#filled === 0 && offset < chunk.length) {
      const available = chunk.length - offset;
      const size = this.#sizeAt(chunk, offset, available);
      if (available < size) {
        this.#partial = Buffer.allocUnsafe(size);
        this.#filled = chunk.copy(this.#partial, 0, offset);
        return items;
      }
      this.#readUnit(chunk.subarray(offset, offset + size), items);
      offset += size;
    }
    return items;
  }

  /** Fills the partial unit, whose size may become known only on the way. Returns what it took. */
  #complete(chunk: Buffer, items: Demuxed[]): number {
    let offset = 0;
    while (offset < chunk.length) {
      const copied = chunk.copy(this.#partial, this.#filled, offset);
      this.#filled += copied;
      offset += copied;
      if (this.#filled < this.#partial.length) return offset;
      const size = this.#sizeAt(this.#partial, 0, this.#filled);
      if (size === this.#filled) {
        const unit = this.#partial;
        this.#partial = nothing;
        this.#filled = 0;
        this.#readUnit(unit, items);
        return offset;
      }
      const larger = Buffer.allocUnsafe(size);
      this.#partial.copy(larger, 0, 0, this.#filled);
      this.#partial = larger;
    }
    return offset;
  }

  /** The size of the unit that starts here; that of its header while this is all one can know. */
  #sizeAt(bytes: Buffer, offset: number, available: number): number {
    if (!this.#hasHeader) {
      if (available < fileHeaderBytes) return fileHeaderBytes;
      const size = bytes.readUInt32BE(offset + 5);
      if (bytes.toString('latin1', offset, offset + 3) !== 'FLV') throw new MalformedMedia('not an FLV file');
      if (size < fileHeaderBytes || size > this.#limits.maxHeaderBytes)
        throw new MalformedMedia('FLV header is too long');
      return size + backPointerBytes;
    }
    if (available < tagHeaderBytes) return tagHeaderBytes;
    const length = bytes.readUIntBE(offset + 1, 3);
    if (length > this.#limits.maxTagBytes) throw new MalformedMedia('FLV tag is too long');
    return tagHeaderBytes + length + backPointerBytes;
  }

  #readUnit(unit: Buffer, items: Demuxed[]): void {
    if (!this.#hasHeader) {
      this.#hasHeader = true;
      return;
    }
    const kind = kindOf(unit.readUInt8(0));
    if (kind === undefined) return;
    const timestampMs = unit.readUIntBE(4, 3) + unit.readUInt8(7) * 0x1000000;
    const body = unit.subarray(tagHeaderBytes, unit.length - backPointerBytes);
    for (const item of this.#bodies.read(kind, timestampMs, body)) items.push(item);
  }
}

/** Bit 5 marks an encrypted tag, which is not supported; unknown kinds are skipped, as FLV requires. */
function kindOf(first: number): FlvKind | undefined {
  if (first === 8 || first === 9 || first === 18) return first;
  return undefined;
}
