import { closeSync, fstatSync, readSync, writevSync } from 'node:fs';
import type { NativeSend } from './native-send.ts';

/**
 * Regions begin at multiples of the largest page that the system may use for such a file, and their memory is given back whole: of a page
 * that is given back in part the system overwrites that part, also where a socket still has the page in its queue.
 */
const alignment = 2 * 1024 * 1024;
/** Offsets stay exact numbers. Addresses of regions are used again, so this is never reached. */
const mostOffset = 2 ** 50;

/** A file in memory with the bytes of all streams, from which the system sends them without copying. Nothing in it is ever overwritten. */
export class MemoryFile {
  readonly calls: NativeSend;
  #descriptor: number;
  #end = 0;
  /** Starts of regions that were given back, by their size. */
  readonly #free = new Map<number, number[]>();

  constructor(calls: NativeSend) {
    this.calls = calls;
    this.#descriptor = calls.createFile();
  }

  /** After the end one that no call accepts: the system gives the number to the next file. */
  get descriptor(): number {
    return this.#descriptor;
  }

  /** Memory that it takes. */
  get bytes(): number {
    return this.#descriptor < 0 ? 0 : fstatSync(this.#descriptor).blocks * 512;
  }

  /** Room for so many bytes. It takes memory as it is written. Undefined when there is none. */
  open(capacity: number): FileRegion | undefined {
    const size = Math.ceil(capacity / alignment) * alignment;
    let start = this.#free.get(size)?.pop();
    if (start === undefined) {
      if (this.#descriptor < 0 || this.#end + size > mostOffset) return undefined;
      start = this.#end;
      this.#end += size;
    }
    return new FileRegion(this, start, size);
  }

  /** Called by its regions. */
  giveBack(start: number, size: number): void {
    // The same offsets may have other bytes afterwards: these are new pages.
    if (!this.calls.punch(this.#descriptor, start, size)) return;
    const free = this.#free.get(size);
    if (free) free.push(start);
    else this.#free.set(size, [start]);
  }

  /** Sockets that have pages of it in their queues keep those. */
  close(): void {
    if (this.#descriptor < 0) return;
    closeSync(this.#descriptor);
    this.#descriptor = -1;
  }
}

/** File that regions lie in. */
type RegionFile = Pick<MemoryFile, 'calls' | 'descriptor' | 'giveBack'>;

/** A part of the file that is filled from its start and given back whole. */
export class FileRegion {
  readonly file: RegionFile;
  readonly #start: number;
  readonly #size: number;
  #used = 0;
  #isOpen = true;
  #holders = 0;

  constructor(file: RegionFile, start: number, size: number) {
    this.file = file;
    this.#start = start;
    this.#size = size;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Appends bytes and returns where they are in the file; undefined if there is no room or no memory. */
  append(pieces: readonly Buffer[], bytes: number): number | undefined {
    if (!this.#isOpen || this.#used + bytes > this.#size) return undefined;
    const place = this.#start + this.#used;
    try {
      if (writevSync(this.file.descriptor, pieces, place) !== bytes) return undefined;
    } catch {
      return undefined;
    }
    this.#used += bytes;
    return place;
  }

  /** Returns how many bytes the socket took. None of a region that was given back: the same place may have bytes of others. */
  send(socket: number, place: number, bytes: number): number {
    const { calls, descriptor } = this.file;
    return this.#isOpen ? calls.sendfile(socket, descriptor, place, bytes) : 0;
  }

  /** A copy, for a connection that cannot be sent bytes of the file. */
  read(place: number, bytes: number): Buffer {
    if (!this.#isOpen) throw new RangeError('these bytes are no longer in memory');
    const copy = Buffer.allocUnsafeSlow(bytes);
    if (readSync(this.file.descriptor, copy, 0, bytes, place) !== bytes) throw new RangeError('the file is too short');
    return copy;
  }

  /** Another process is told of bytes in it. They stay until it has let go, also after the end of the region here. */
  hold(): void {
    this.#holders += 1;
  }

  letGo(): void {
    this.#holders -= 1;
    if (!this.#isOpen && this.#holders === 0) this.file.giveBack(this.#start, this.#size);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#holders === 0) this.file.giveBack(this.#start, this.#size);
  }
}
