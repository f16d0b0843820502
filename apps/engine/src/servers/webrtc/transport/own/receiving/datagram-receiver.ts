import { createSocket, type Socket } from 'node:dgram';
import type { NativeContext } from '../native/native-context.ts';
import type { Symbols } from '../native/symbols.ts';
import type { Receiver } from '../sending/udp-socket.ts';
import { type TimeBench, waitedMs } from './arrival-time.ts';
import { DatagramReader, type ReadBench } from './datagram-reader.ts';
import type { SenderAddress } from './sender-address.ts';

/**
 * From this many datagrams a second on they are read together, and below that many one by one again. To be woken costs more
 * than what is done then; a process that sends pictures is awake every 40 ms anyway.
 */
const manyPerLook = 60;
const fewPerLook = 30;
/** Checks without urgent traffic before batching. */
const calmLooks = 2;
/**
 * Datagrams are read after a send, but not more often than this, and at the latest after this long. After a large batch
 * the next read comes soon: the system buffers only some hundreds.
 */
const soonestMs = 4;
const latestMs = 20;
const manyAtOnce = 32;
/** Numbers of Linux. */
const duplicate = { command: 1030, from: 0 } as const;
const timestamps = { level: 1, name: 35 } as const;

/** Native functions and buffers for receiving. */
type IncomingBench = ReadBench &
  TimeBench &
  Pick<NativeContext, 'setOption'> & { readonly symbols: Pick<Symbols, 'recvmmsg' | 'fcntl' | 'close'> };

interface IncomingEvents {
  /** Must not throw. `local` is the destination address, where known. */
  onDatagram(bytes: Buffer, from: SenderAddress, local: string | undefined, waitedMs: number): void;
  onFault(error: unknown): void;
}

/**
 * Receiver of the datagrams of a port. Sockets of Node deliver them singly while they are few. While they are many, no
 * event announces them, and one call reads all that wait at the end of a turn in which something was sent.
 */
export class DatagramReceiver {
  readonly #bench: IncomingBench;
  readonly #receivers: readonly Receiver[];
  readonly #events: IncomingEvents;
  readonly #reader: DatagramReader;
  /** Sockets on duplicated descriptors, so that they can be closed; present while datagrams are handled one by one. */
  #sockets: Socket[] = [];
  #timer: NodeJS.Timeout | undefined;
  #more: NodeJS.Immediate | undefined;
  #readMs = 0;
  #count = 0;
  #calm = 0;
  #isBroken = false;
  /** No descriptor was left; tried again once a second. */
  #isShort = false;
  #isClosed = false;

  constructor(bench: IncomingBench, receivers: readonly Receiver[], events: IncomingEvents) {
    this.#bench = bench;
    this.#receivers = receivers;
    this.#events = events;
    this.#reader = new DatagramReader(bench);
    this.#listen();
  }

  get isGathering(): boolean {
    return this.#timer !== undefined;
  }

  /** Handles datagrams one by one for a while, after a join or a loss. */
  hurry(): void {
    this.#calm = 0;
    if (this.isGathering && !this.#isShort) this.#listen();
  }

  /** Decides once a second whether the sessions tolerate a few milliseconds of delay. */
  adapt(isCalm: boolean): void {
    const count = this.#count;
    this.#count = 0;
    this.#calm = isCalm ? this.#calm + 1 : 0;
    if (this.isGathering) {
      if (!isCalm || count < fewPerLook || this.#isShort) this.#listen();
    } else if (this.#calm > calmLooks && count >= manyPerLook && !this.#isBroken) this.#gather();
  }

  /** Called after a send. */
  onTurnEnd(): void {
    if (this.isGathering && performance.now() - this.#readMs >= soonestMs) this.#read();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rest();
    this.#silence();
    for (const { descriptor } of this.#receivers) this.#bench.symbols.close(descriptor);
  }

  #listen(): void {
    if (this.#isClosed || this.#sockets.length > 0) return;
    try {
      for (const receiver of this.#receivers) this.#sockets.push(this.#open(receiver));
    } catch (fault) {
      // No descriptor is left: what comes is read all the same.
      this.#silence();
      if (!this.#isShort) this.#events.onFault(fault);
      this.#isShort = true;
      this.#timer ??= setTimeout(this.#read, latestMs);
      return;
    }
    this.#isShort = false;
    this.#rest();
    this.#setTimestamps(0);
  }

  #gather(): void {
    this.#silence();
    this.#setTimestamps(1);
    this.#timer ??= setTimeout(this.#read, latestMs);
  }

  #open({ descriptor, isSix, local }: Receiver): Socket {
    const { symbols } = this.#bench;
    const own = symbols.fcntl(descriptor, duplicate.command, duplicate.from);
    if (own < 0) throw new Error(`no descriptor: error ${this.#bench.errno()}`);
    const socket = createSocket(isSix ? 'udp6' : 'udp4');
    socket.on('message', (bytes, { address, port }) => {
      this.#count += 1;
      this.#events.onDatagram(bytes, { address, port }, local, waitedMs(this.#bench, own));
    });
    socket.on('error', (fault) => this.#events.onFault(fault));
    try {
      return socket.bind({ fd: own });
    } catch (fault) {
      symbols.close(own);
      throw fault;
    }
  }

  /** Gathered datagrams include their times; single ones need a call each. */
  #setTimestamps(isOn: 0 | 1): void {
    for (const { descriptor } of this.#receivers) this.#bench.setOption(descriptor, timestamps, isOn);
  }

  #silence(): void {
    for (const socket of this.#sockets) socket.close();
    this.#sockets = [];
  }

  /** Stops reading. */
  #rest(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#more);
    this.#timer = undefined;
    this.#more = undefined;
  }

  readonly #read = (): void => {
    this.#readMs = performance.now();
    const before = this.#count;
    let hasMore = false;
    for (const { descriptor, local } of this.#receivers) {
      if (this.#isClosed) return;
      if (!this.#drain(descriptor, local)) hasMore = true;
    }
    if (!this.isGathering) return;
    this.#rest();
    this.#timer = setTimeout(this.#read, this.#count - before >= manyAtOnce ? soonestMs : latestMs);
    if (hasMore) this.#more = setImmediate(this.#read);
  };

  #drain(descriptor: number, local: string | undefined): boolean {
    try {
      return this.#reader.drain(
        descriptor,
        (bytes, from, waitedMs) => {
          this.#count += 1;
          this.#events.onDatagram(bytes, from, local, waitedMs);
        },
        () => this.#isClosed,
      );
    } catch (fault) {
      this.#isBroken = true;
      this.#events.onFault(fault);
      this.#listen();
      return true;
    }
  }
}
