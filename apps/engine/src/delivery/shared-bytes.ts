import type { Socket } from 'node:net';
import type { FileRegion } from './memory-file.ts';

/** Bytes for many connections. Once they are in the memory file, a buffer of them exists only while a connection needs one. */
export class SharedBytes {
  readonly length: number;
  #pieces: readonly Buffer[] | undefined;
  #copy: WeakRef<Buffer> | undefined;
  #region: FileRegion | undefined;
  #place = 0;

  constructor(pieces: readonly Buffer[], length = lengthOf(pieces)) {
    this.#pieces = pieces;
    this.length = length;
  }

  /** Refers to bytes that another process wrote into the file. */
  static at(region: FileRegion, place: number, length: number): SharedBytes {
    const bytes = new SharedBytes([], length);
    bytes.#pieces = undefined;
    bytes.#region = region;
    bytes.#place = place;
    return bytes;
  }

  get isStored(): boolean {
    return this.#region !== undefined;
  }

  /** Their region and their place in the file, while they are there. */
  get stored(): { readonly region: FileRegion; readonly place: number } | undefined {
    return this.#region?.isOpen ? { region: this.#region, place: this.#place } : undefined;
  }

  /** Moves the bytes to the end of a region, if it has room. */
  store(region: FileRegion | undefined): void {
    if (!this.#pieces || !region) return;
    const place = region.append(this.#pieces, this.length);
    if (place === undefined) return;
    this.#region = region;
    this.#place = place;
    this.#pieces = undefined;
  }

  /** One buffer, shared by all connections that need one at the same time. */
  get buffer(): Buffer {
    if (this.#pieces) {
      const [first] = this.#pieces;
      if (first && this.#pieces.length === 1) return first;
      const whole = Buffer.concat(this.#pieces, this.length);
      this.#pieces = [whole];
      return whole;
    }
    const known = this.#copy?.deref();
    if (known) return known;
    const copy = this.#region?.read(this.#place, this.length) ?? Buffer.alloc(0);
    this.#copy = new WeakRef(copy);
    return copy;
  }

  /** Sends the bytes from a position on to an idle connection, without a copy. Returns how many it took; 0 if that is impossible. */
  sendTo(socket: Socket, from = 0): number {
    return this.#region ? sendFrom(this.#region, socket, this.#place + from, this.length - from) : 0;
  }

  /** Sends a head and then all bytes. The returned count includes the head. */
  sendAfter(head: Buffer, socket: Socket): number {
    const region = this.#region;
    const descriptor = region && idleDescriptor(socket);
    if (!region || descriptor === undefined) return 0;
    const sent = region.file.calls.sendHead(descriptor, head);
    return sent < head.length ? sent : sent + region.send(descriptor, this.#place, this.length);
  }

  /** Sends the first bytes of a list with one call, as far as they lie one behind the other in the file. */
  static sendRun([first, ...others]: readonly SharedBytes[], socket: Socket): number {
    if (!first) return 0;
    const region = first.#region;
    if (!region) return 0;
    let end = first.#place + first.length;
    for (const each of others) {
      if (each.#region !== region || each.#place !== end) break;
      end += each.length;
    }
    return sendFrom(region, socket, first.#place, end - first.#place);
  }
}

function sendFrom(region: FileRegion, socket: Socket, place: number, bytes: number): number {
  const descriptor = idleDescriptor(socket);
  return descriptor === undefined ? 0 : region.send(descriptor, place, bytes);
}

/**
 * Descriptor of a connection without TLS for which no bytes wait in this process. It is read each time, because the system reuses the number of
 * a closed connection. Node does not document it, so another version may have none.
 */
export function idleDescriptor(socket: Socket): number | undefined {
  if (socket.writableLength > 0 || socket.writableEnded || socket.destroyed || 'encrypted' in socket) return undefined;
  return descriptorOf(socket);
}

/** Descriptor of the connection below a socket; undefined for a stream of HTTP/2, which has none of its own. */
export function descriptorOf(socket: Socket): number | undefined {
  const descriptor = (socket as { readonly _handle?: { readonly fd?: unknown } | null })._handle?.fd;
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined;
}

function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}
