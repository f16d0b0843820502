import type { Arena, Region } from '../native/arena.ts';
import type { NativeContext, SendRoom } from '../native/native-context.ts';
import type { Symbols } from '../native/symbols.ts';
import { StagedPayloads } from './staged-payloads.ts';

/** Destination of a message, identified by the object. */
export interface Destination {
  /** Address in the system's form. */
  readonly address: Buffer;
  /** Octets of the address of ours that it leaves from; the system chooses one where there is none. */
  readonly source?: Buffer | undefined;
  /** True while the kernel segments messages for it. */
  canSegment: boolean;
}

/** Kernel limits: segments per message (`UDP_MAX_SEGMENTS`), and bytes before segmentation. */
const mostSegments = 64;
const mostSegmented = 60_000;
const dontWait = 0x40;
const error = { interrupted: 4, io: 5, again: 11, noBuffers: 105 } as const;
const againMs = 1;

/** Native functions and buffers for sending. */
type SendBench = Pick<NativeContext, 'arena' | 'errno' | 'acquireRoom' | 'giveBack'> & {
  readonly symbols: Pick<Symbols, 'sendmmsg'>;
};

interface BatchEvents {
  /** Once, when the kernel cannot cut messages on this socket. */
  onUncut(): void;
  /** Called when gathered packets were lost. */
  onFault(error: unknown): void;
  /** Called after all packets of a turn were handed over. */
  onTurnEnd?(): void;
}

interface Message {
  to: Destination;
  at: number;
  length: number;
  segment: number;
  /** A shorter segment is the last one. */
  isEnded: boolean;
}

/**
 * Gathers what is sent within one turn of the loop, and hands it over in few calls: consecutive packets of equal length to
 * one peer are one message that the kernel cuts, and up to 64 messages are one call.
 */
export class SendBatch {
  /** Datagrams that the system would not take. */
  lost = 0;
  readonly payloads: StagedPayloads;
  readonly #bench: SendBench;
  readonly #descriptor: number;
  readonly #room: SendRoom;
  readonly #structures: SendStructures;
  readonly #events: BatchEvents;
  readonly #messages: Message[] = [];
  #count = 0;
  /** The first message that waits for the socket. */
  #first = 0;
  #end: number;
  #canSegment = true;
  #isPlanned = false;
  #waiting: NodeJS.Timeout | undefined;

  readonly #onTurnEnd = (): void => {
    this.#isPlanned = false;
    this.flush();
    this.#events.onTurnEnd?.();
  };

  readonly #onTime = (): void => {
    this.#waiting = undefined;
    this.flush();
  };

  constructor(bench: SendBench, descriptor: number, events: BatchEvents) {
    this.#bench = bench;
    this.#descriptor = descriptor;
    this.#events = events;
    this.#room = bench.acquireRoom();
    this.#end = this.#room.data.at;
    this.#structures = new SendStructures(bench.arena, this.#room.structures);
    this.payloads = new StagedPayloads(bench.arena, this.#room.payloads);
  }

  /** Position for the next datagram of at most so many bytes; -1 without space. */
  reserve(most: number): number {
    if (!this.#hasRoom(most)) this.flush();
    return this.#hasRoom(most) ? this.#end : -1;
  }

  /** Sends the reserved bytes to that peer at the end of this turn. */
  commit(to: Destination, length: number): void {
    const last = this.#messages[this.#count - 1];
    if (last && this.#count > this.#first && this.#goesWith(last, to, length)) {
      last.length += length;
      last.isEnded = length < last.segment;
    } else this.#begin(to, length);
    this.#end += length;
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(this.#onTurnEnd);
  }

  /** A datagram that is at hand as a whole. */
  send(to: Destination, bytes: Buffer): void {
    const at = this.reserve(bytes.length);
    if (at < 0) return;
    this.#bench.arena.bytes.set(bytes, at);
    this.commit(to, bytes.length);
  }

  flush(): void {
    if (this.#waiting !== undefined) return;
    try {
      for (let slot = this.#first; slot < this.#count; slot++) this.#write(slot);
      while (this.#first < this.#count) {
        const sent = this.#call(this.#first, this.#count - this.#first);
        if (sent > 0) this.#first += sent;
        else if (!this.#onRefusal(this.#bench.errno())) return;
      }
    } catch (fault) {
      this.#events.onFault(fault);
    }
    this.#clear();
  }

  /** Stops sending. */
  close(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    this.#clear();
    this.#bench.giveBack(this.#room);
  }

  #hasRoom(length: number): boolean {
    const { at, length: most } = this.#room.data;
    return this.#end + length <= at + most && this.#count < mostMessages;
  }

  #goesWith(last: Message, to: Destination, length: number): boolean {
    return (
      last.to === to &&
      this.#canSegment &&
      to.canSegment &&
      !last.isEnded &&
      length <= last.segment &&
      last.length + length <= Math.min(mostSegmented, last.segment * mostSegments)
    );
  }

  #begin(to: Destination, length: number): void {
    const message = this.#messages[this.#count];
    this.#count += 1;
    if (!message) {
      this.#messages.push({ to, at: this.#end, length, segment: length, isEnded: false });
      return;
    }
    message.to = to;
    message.at = this.#end;
    message.length = length;
    message.segment = length;
    message.isEnded = false;
  }

  #write(slot: number): void {
    const message = this.#messages[slot];
    if (message) this.#structures.write(slot, message.to, message.at, message.length, message.segment);
  }

  #call(slot: number, count: number): number {
    return this.#bench.symbols.sendmmsg(this.#descriptor, this.#structures.address(slot, count), count, dontWait);
  }

  /** The first message was refused. False when all have to wait. */
  #onRefusal(errno: number): boolean {
    if (errno === error.interrupted) return true;
    if (errno === error.again || errno === error.noBuffers) {
      this.#waiting = setTimeout(this.#onTime, againMs);
      return false;
    }
    const message = this.#messages[this.#first];
    if (message && message.segment < message.length) this.#sendUncut(message, errno);
    else this.lost += 1;
    // A failed message does not block the next ones.
    this.#first += 1;
    return true;
  }

  /** Interfaces without checksums of their own answer with an error, and paths narrower than a segment do. */
  #sendUncut({ to, at, length, segment }: Message, errno: number): void {
    if (errno === error.io && this.#canSegment) {
      this.#canSegment = false;
      this.#events.onUncut();
    } else to.canSegment = false;
    for (let from = 0; from < length; from += segment) {
      const octets = Math.min(segment, length - from);
      this.#structures.write(this.#first, to, at + from, octets, octets);
      if (this.#call(this.#first, 1) < 1) this.lost += 1;
    }
  }

  #clear(): void {
    this.#count = 0;
    this.#first = 0;
    this.#end = this.#room.data.at;
  }
}

/** Messages of one call. */
const mostMessages = 64;

/**
 * Structures of `sendmmsg` (Linux, 64 bits), one set per message:
 *
 *     mmsghdr  64   name:64  nameLength:32 -:32  iovec:64  iovecs:64  control:64  controlLength:64  flags:32 -:32  sent:32 -:32
 *     iovec    16   base:64  length:64
 *     cmsghdr  24   length:64  level:32  type:32  segment:16 -:48
 *     cmsghdr  40   length:64  level:32  type:32  address:128  interface:32 -:32
 *              32   length:64  level:32  type:32  interface:32  address:32  -:32 -:32       (IPv4 socket)
 *     address  32
 */
const headerBytes = 64;
const vectorBytes = 16;
const segmentBytes = 24;
const sourceBytes = 40;
const controlBytes = segmentBytes + sourceBytes;
const addressBytes = 32;

/** Numbers of Linux: which message tells what, and how long it is before it is filled up. */
const segmentMessage = { level: 17, type: 103, length: 18 } as const;
const sourceMessages = {
  4: { level: 0, type: 8, length: 28, room: 32, addressAt: 20 },
  16: { level: 41, type: 50, length: 36, room: 40, addressAt: 16 },
} as const;

interface To {
  readonly address: Buffer;
  readonly source?: Buffer | undefined;
}

class SendStructures {
  readonly #arena: Arena;
  readonly #headers: number;
  readonly #vectors: number;
  readonly #controls: number;
  readonly #addresses: number;

  constructor(arena: Arena, { at, length }: Region) {
    if (length < mostMessages * (headerBytes + vectorBytes + controlBytes + addressBytes))
      throw new RangeError('no room for messages');
    this.#arena = arena;
    this.#headers = at;
    this.#vectors = at + mostMessages * headerBytes;
    this.#controls = this.#vectors + mostMessages * vectorBytes;
    this.#addresses = this.#controls + mostMessages * controlBytes;
    arena.bytes.fill(0, at, at + length);
    for (let slot = 0; slot < mostMessages; slot++) this.#prepare(slot);
  }

  /** Address of the headers from this message on. */
  address(slot: number, count: number): number {
    return this.#arena.address(this.#headers + slot * headerBytes, count * headerBytes);
  }

  /** Describes a message from the arena to that address; the kernel cuts it where it is longer than a segment. */
  write(slot: number, { address, source }: To, at: number, length: number, segment: number): void {
    if (slot >= mostMessages || address.length > addressBytes) throw new RangeError('no such message');
    const { bytes, view } = this.#arena;
    const header = this.#headers + slot * headerBytes;
    const vector = this.#vectors + slot * vectorBytes;
    const control = this.#controls + slot * controlBytes;
    const isCut = segment < length;
    bytes.set(address, this.#addresses + slot * addressBytes);
    view.setUint32(header + 8, address.length, true);
    if (isCut) view.setUint16(control + 16, segment, true);
    const sourceRoom = source ? this.#writeSource(control + segmentBytes, source) : 0;
    // A single segment is sent without the first message: some interfaces refuse the rest.
    const controlAt = isCut ? control : control + segmentBytes;
    this.#arena.writeWord(header + 32, this.#arena.address(controlAt, controlBytes - segmentBytes));
    view.setUint32(header + 40, (isCut ? segmentBytes : 0) + sourceRoom, true);
    this.#arena.writeWord(vector, this.#arena.address(at, length));
    view.setUint32(vector + 8, length, true);
  }

  /** The address that a message leaves from; its interface is the system's choice. */
  #writeSource(at: number, source: Buffer): number {
    const { bytes } = this.#arena;
    const message = sourceMessages[source.length === 4 ? 4 : 16];
    if (message.addressAt + source.length > sourceBytes) throw new RangeError('no such address');
    bytes.fill(0, at, at + sourceBytes);
    this.#arena.writeWord(at, message.length);
    bytes.writeUInt32LE(message.level, at + 8);
    bytes.writeUInt32LE(message.type, at + 12);
    bytes.set(source, at + message.addressAt);
    return message.room;
  }

  #prepare(slot: number): void {
    const arena = this.#arena;
    const header = this.#headers + slot * headerBytes;
    const vector = this.#vectors + slot * vectorBytes;
    const control = this.#controls + slot * controlBytes;
    arena.writeWord(header, arena.address(this.#addresses + slot * addressBytes, addressBytes));
    arena.writeWord(header + 16, arena.address(vector, vectorBytes));
    arena.writeWord(header + 24, 1);
    arena.writeWord(control, segmentMessage.length);
    arena.bytes.writeUInt32LE(segmentMessage.level, control + 8);
    arena.bytes.writeUInt32LE(segmentMessage.type, control + 12);
  }
}
