import { closeSync, fstatSync, readSync, writevSync } from 'node:fs';
import type { NativeSend } from './native-send.ts';

/**
 * Regions begin at multiples of the largest page that the system may use for such a file, and their memory is given back whole. If a page were
 * given back in part, the system would overwrite that part even while a socket has the page in its queue.
 */
const alignment = 2 * 1024 * 1024;
/** Highest offset, so that offsets stay exact numbers. It is never reached, because regions are reused. */
const mostOffset = 2 ** 50;

/** A file in memory with the bytes of all streams. The system sends from it without copying. Written bytes never change. */
export class MemoryFile {
  readonly calls: NativeSend;
  #descriptor: number;
  #end = 0;
  /** Offsets of regions that were given back, by size. */
  readonly #free = new Map<number, number[]>();

  constructor(calls: NativeSend) {
    this.calls = calls;
    this.#descriptor = calls.createFile();
  }

  /** Number of the open file. After `close` it is -1, because the system reuses the number. */
  get descriptor(): number {
    return this.#descriptor;
  }

  /** Memory in use. */
  get bytes(): number {
    return this.#descriptor < 0 ? 0 : fstatSync(this.#descriptor).blocks * 512;
  }

  /** Opens a region with this capacity; undefined if the file is full. Only bytes that are written take memory. */
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

  /** Gives the memory of a region back to the system. */
  giveBack(start: number, size: number): void {
    // The offsets may be reused at once: later bytes are written to new pages.
    if (!this.calls.punch(this.#descriptor, start, size)) return;
    const free = this.#free.get(size);
    if (free) free.push(start);
    else this.#free.set(size, [start]);
  }

  /** Closes the file. Pages in the queues of sockets stay until they are sent. */
  close(): void {
    if (this.#descriptor < 0) return;
    closeSync(this.#descriptor);
    this.#descriptor = -1;
  }
}

/** The parts of a file that its regions use. */
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

  /** Returns how many bytes the socket took. Sends none of a closed region, whose offsets may hold other bytes by then. */
  send(socket: number, place: number, bytes: number): number {
    const { calls, descriptor } = this.file;
    return this.#isOpen ? calls.sendfile(socket, descriptor, place, bytes) : 0;
  }

  /** Copies bytes, for a connection that the system cannot send to from the file. */
  read(place: number, bytes: number): Buffer {
    if (!this.#isOpen) throw new RangeError('these bytes are no longer in memory');
    const copy = Buffer.allocUnsafeSlow(bytes);
    if (readSync(this.file.descriptor, copy, 0, bytes, place) !== bytes) throw new RangeError('the file is too short');
    return copy;
  }

  /** Keeps the memory for another process, even after `close`, until `release` is called as often. */
  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (!this.#isOpen && this.#holders === 0) this.file.giveBack(this.#start, this.#size);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#holders === 0) this.file.giveBack(this.#start, this.#size);
  }
}
