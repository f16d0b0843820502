/** A piece of PCM (16 kHz, mono, s16) and when it begins, on the clock of the stream. */
export interface AudioBlock {
  readonly atMs: number;
  readonly pcm: Buffer;
}

/** Elements of Matroska (RFC 9559) that are opened or read; all others are skipped. */
const segment = 0x18538067;
const cluster = 0x1f43b675;
const clusterTime = 0xe7;
const simpleBlock = 0xa3;
/** Size limit of an element; ffmpeg writes only smaller ones. */
const mostBytes = 1024 * 1024;

interface Header {
  readonly id: number;
  readonly size: number;
  readonly headerBytes: number;
}

/** Reads what `speechArgs` of packages/process gives, however it is cut. */
export class AudioBlocks {
  #rest: Buffer = Buffer.alloc(0);
  #clusterMs = 0;

  /** Throws for other formats than Matroska. */
  push(chunk: Buffer): AudioBlock[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const blocks: AudioBlock[] = [];
    let at = 0;
    for (let header = readHeader(bytes, at); header; header = readHeader(bytes, at)) {
      const { id, size, headerBytes } = header;
      const isOpened = id === segment || id === cluster;
      if (!isOpened && size > mostBytes) throw new Error('not the audio that was asked for');
      const start = at + headerBytes;
      if (isOpened) {
        at = start;
        continue;
      }
      if (start + size > bytes.length) break;
      this.#read(id, bytes.subarray(start, start + size), blocks);
      at = start + size;
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    return blocks;
  }

  #read(id: number, data: Buffer, blocks: AudioBlock[]): void {
    if (id === clusterTime && data.length > 0 && data.length <= 6) this.#clusterMs = data.readUIntBE(0, data.length);
    // Track, a time of 16 bits within the cluster, flags.
    if (id === simpleBlock && data.length > 4) {
      blocks.push({ atMs: this.#clusterMs + data.readInt16BE(1), pcm: data.subarray(4) });
    }
  }
}

/** Undefined while it is not whole. */
function readHeader(bytes: Buffer, at: number): Header | undefined {
  const id = readNumber(bytes, at, true);
  const size = id && readNumber(bytes, at + id.bytes, false);
  return size && { id: id.value, size: size.value, headerBytes: id.bytes + size.bytes };
}

/** A number whose first bits say how long it is. An id keeps them; a size of ones only means: not known yet. */
function readNumber(bytes: Buffer, at: number, isId: boolean): { value: number; bytes: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const length = Math.clz32(first) - 23;
  if (length > (isId ? 4 : 8)) throw new Error('not the audio that was asked for');
  if (at + length > bytes.length) return undefined;
  let value = isId ? first : first & (0xff >> length);
  let isUnknown = !isId && value === 0xff >> length;
  for (const byte of bytes.subarray(at + 1, at + length)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown ? Number.POSITIVE_INFINITY : value, bytes: length };
}
