import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { AnswerSeat } from '../delivery/answer-seat.ts';
import type { FileRegion } from '../delivery/memory-file.ts';
import { SharedBytes } from '../delivery/shared-bytes.ts';
import type { SharedMemory } from '../delivery/shared-memory.ts';
import type { HeaderList } from './failures.ts';

/** Below this size compression does not pay, because the head dominates. */
const leastBytes = 512;
/** Four fifths of a playlist go for a third of the time that zlib's own settings take: most of that is clearing memory. */
const options = { level: 1, memLevel: 6, windowBits: 13 };
const mostVerdicts = 500;
/** Results by header value: clients send the same few texts. */
const verdicts = new Map<string, boolean>();

/** Undefined if compression does not pay. */
function gzipped(body: Buffer): Buffer | undefined {
  if (body.length < leastBytes) return undefined;
  const bytes = gzipSync(body, options);
  return bytes.length < body.length ? bytes : undefined;
}

/** Reads Accept-Encoding (RFC 9110, 12.5.3). */
function acceptsGzip(accepted: string | undefined): boolean {
  if (accepted === undefined) return false;
  const known = verdicts.get(accepted);
  if (known !== undefined) return known;
  const verdict = readAccepted(accepted);
  if (verdicts.size >= mostVerdicts) verdicts.clear();
  if (accepted.length <= 256) verdicts.set(accepted, verdict);
  return verdict;
}

function readAccepted(accepted: string): boolean {
  let any: boolean | undefined;
  for (const item of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const isWanted = !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (name === 'gzip' || name === 'x-gzip') return isWanted;
    if (name === '*') any = isWanted;
  }
  return any ?? false;
}

/** Up to this size a body is copied behind its head. */
const smallBytes = 16 * 1024;
/** Room for a head before a body that is too long to copy. */
export const leadBytes = 1024;
/** Cached forms of one answer. Few sites show the same stream. */
const mostWires = 4;
const varies = ['Vary', 'Accept-Encoding'];

/** Writes heads: those of one second are the same. */
interface HeadWriter {
  readonly second: number;
  wireOk(headers: HeaderList): Buffer;
}

/** An answer as it goes over the wire. */
interface Wire {
  readonly writer: HeadWriter;
  second: number;
  /** The head, followed by the body when `isWhole`. */
  bytes: Buffer;
  readonly isWhole: boolean;
}

interface Options {
  /** The body behind `leadBytes` of room. */
  readonly roomy?: Buffer;
  /** The entity tag, in its quotes. */
  readonly tag?: string;
  /** Compressed form, for clients that accept it. */
  readonly isText?: boolean;
}

/** Answer from memory for many clients, serialised once a second instead of once per client. */
export class Prepared {
  /** Headers for status 200, including the body length. */
  readonly headers: HeaderList;
  /** Size of the body. */
  readonly length: number;
  readonly tag: string | undefined;
  readonly #own: HeaderList;
  readonly #options: Options;
  readonly #bytes: SharedBytes;
  #roomy: Buffer | undefined;
  #wires: Wire[] = [];
  #memory: SharedMemory | undefined;
  #region: FileRegion | undefined;
  #gzip: Prepared | undefined;

  constructor(body: Buffer, headers: HeaderList, options: Options = {}) {
    const { tag, isText, roomy } = options;
    this.#bytes = new SharedBytes([body]);
    this.#roomy = roomy;
    this.length = body.length;
    this.tag = tag;
    this.#own = headers;
    const about = [...(tag === undefined ? [] : ['ETag', tag]), ...(isText ? varies : [])];
    this.headers = [...headers, ...about, 'Content-Length', String(body.length)];
    this.#options = options;
  }

  /** Prepares a body with space before it in memory, so that head and body are one piece. */
  static inRoomy(roomy: Buffer, headers: HeaderList, tag?: string): Prepared {
    return new Prepared(roomy.subarray(leadBytes), headers, { roomy, ...(tag !== undefined && { tag }) });
  }

  get body(): Buffer {
    return this.#bytes.buffer;
  }

  /** Allows the body to move to the memory file, until `release`. */
  share(memory: SharedMemory): void {
    if (this.length > smallBytes) this.#memory = memory;
  }

  /** Moves the body to the file for the first plain connection; bodies sent over TLS only stay in memory. */
  moveToFile(): boolean {
    if (this.#region) return true;
    const region = this.#memory?.file?.open(this.length);
    if (!region) return false;
    this.#bytes.store(region);
    if (!this.#bytes.isStored) {
      region.close();
      return false;
    }
    this.#region = region;
    // Both hold the buffer that the file replaces.
    this.#roomy = undefined;
    this.#wires = [];
    return true;
  }

  /** Sends head and body from the file to an idle connection. Returns how many bytes it took. */
  sendAfter(head: Buffer, socket: Socket): number {
    return this.#bytes.sendAfter(head, socket);
  }

  /** The same by another process, which says when all of it went. */
  sendBy(seat: AnswerSeat, head: Buffer, onSent: () => void): boolean {
    return seat.send(head, this.#bytes, onSent);
  }

  /** Called when it can no longer be requested. */
  release(): void {
    this.#memory = undefined;
    this.#region?.close();
  }

  /** Form for this Accept-Encoding. Compressed once, for the first client that accepts it. */
  formFor(accepted: string | undefined): Prepared {
    if (!this.#options.isText || !acceptsGzip(accepted)) return this;
    this.#gzip ??= this.#compress() ?? this;
    return this.#gzip;
  }

  #compress(): Prepared | undefined {
    const bytes = gzipped(this.body);
    const { tag } = this.#options;
    // Another representation, hence another tag (RFC 9110, 8.8.3.3).
    const tagged = tag === undefined ? {} : { tag: `${tag.slice(0, -1)}-gz"` };
    return bytes && new Prepared(bytes, [...this.#own, 'Content-Encoding', 'gzip', ...varies], tagged);
  }

  /** Headers for status 304. */
  get unchanged(): HeaderList {
    const kept: string[] = [];
    for (let index = 0; index < this.headers.length; index += 2) {
      const [name = '', value = ''] = [this.headers[index], this.headers[index + 1]];
      if (/^(?:cache-control|etag|vary)$/i.test(name)) kept.push(name, value);
    }
    return kept;
  }

  /** Serialised form by this writer. It expires with the date in it. */
  wire(writer: HeadWriter): Readonly<Wire> {
    const { second } = writer;
    for (const wire of this.#wires) {
      if (wire.writer !== writer) continue;
      if (wire.second !== second) {
        wire.bytes = this.#compose(writer, wire === this.#wires[0]);
        wire.second = second;
      }
      return wire;
    }
    return this.#add(writer, second);
  }

  #add(writer: HeadWriter, second: number): Wire {
    const isFirst = this.#wires.length === 0;
    const isWhole = (isFirst && this.#roomy !== undefined) || this.length <= smallBytes;
    const wire: Wire = { writer, second, bytes: this.#compose(writer, isFirst), isWhole };
    // The first stays where it is: the room is written by its writer alone.
    if (this.#wires.length < mostWires) this.#wires.push(wire);
    else this.#wires[mostWires - 1] = wire;
    return wire;
  }

  #compose(writer: HeadWriter, hasRoom: boolean): Buffer {
    const head = writer.wireOk(this.headers);
    const roomy = this.#roomy;
    if (roomy && hasRoom) {
      // A new head differs from the old in its date alone, so an answer that is still on its way stays whole.
      const start = leadBytes - head.length;
      if (start < 0) throw new RangeError('the head of an answer is too long');
      roomy.set(head, start);
      return roomy.subarray(start);
    }
    return this.length <= smallBytes ? Buffer.concat([head, this.body]) : head;
  }
}
