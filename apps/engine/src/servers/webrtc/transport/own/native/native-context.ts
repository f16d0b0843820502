import { receiveBytes } from '../receiving/receive-structures.ts';
import { stagedBytes } from '../sending/staged-payloads.ts';
import { Arena, type Region } from './arena.ts';
import { loadNatives, type Natives, NotCapable, type Symbols } from './symbols.ts';

/** Largest datagram that is read; media travels in some 1,300 octets. */
export const largestDatagram = 2048;
/** Memory of one send batch and its structures. */
const sendBytes = 512 * 1024;
const sendStructureBytes = 64 * 1024;
/** Limit of ports: a process has one, tests a few. */
const mostPorts = 8;
const scratchBytes = receiveBytes + 64 * 1024;

/** Send memory of one port. */
export interface SendRoom {
  readonly data: Region;
  readonly structures: Region;
  /** Payloads shared by all peers, before encryption. */
  readonly payloads: Region;
}

/** The one place where native functions and the memory they may touch are together. */
export class NativeContext {
  readonly symbols: Symbols;
  readonly arena: Arena;
  readonly errno: () => number;
  readonly answerOne: bigint;
  readonly nextWait: bigint;
  /** Nonces are written here. */
  readonly iv: Region;
  /** For lengths and other numbers that a function gives back. */
  readonly number: Region;
  /** Keys, digests and small structures, for the length of a call. */
  readonly small: Region;
  /** Received datagram, with space behind it. */
  readonly packet: Region;
  /** Datagrams that were read with one call, for as long as it takes to hand them on. */
  readonly receive: Region;
  readonly #rooms: SendRoom[] = [];

  private constructor({ symbols, memory, errno, answerOne, nextWait }: Natives) {
    this.symbols = symbols;
    this.errno = errno;
    this.answerOne = answerOne;
    this.nextWait = nextWait;
    this.arena = new Arena(memory);
    this.iv = this.arena.region(16);
    this.number = this.arena.region(16);
    this.small = this.arena.region(4096);
    this.packet = this.arena.region(largestDatagram + 64);
    this.receive = this.arena.region(receiveBytes);
    for (let n = 0; n < mostPorts; n++)
      this.#rooms.push({
        data: this.arena.region(sendBytes),
        structures: this.arena.region(sendStructureBytes),
        payloads: this.arena.region(stagedBytes),
      });
  }

  static #loading: Promise<NativeContext> | undefined;

  /** The same for everybody in this process. Throws NotCapable where something is missing. */
  static load(): Promise<NativeContext> {
    const bytes = mostPorts * (sendBytes + sendStructureBytes + stagedBytes) + scratchBytes;
    NativeContext.#loading ??= loadNatives(bytes).then((natives) => new NativeContext(natives));
    NativeContext.#loading.catch(() => {
      NativeContext.#loading = undefined;
    });
    return NativeContext.#loading;
  }

  acquireRoom(): SendRoom {
    const room = this.#rooms.pop();
    if (!room) throw new NotCapable('too many ports');
    return room;
  }

  giveBack(room: SendRoom): void {
    this.#rooms.push(room);
  }

  /** Sets a socket option; a refusal is ignored. */
  setOption(descriptor: number, { level, name }: { level: number; name: number }, value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    this.symbols.setsockopt(descriptor, level, name, this.lend(bytes), bytes.length);
  }

  /** Puts octets into the small region and tells their address, for the length of one call. */
  lend(bytes: Buffer): number {
    const { at, length } = this.small;
    if (bytes.length > length) throw new RangeError('too much to lend');
    bytes.copy(this.arena.bytes, at);
    return this.arena.address(at, bytes.length);
  }
}
