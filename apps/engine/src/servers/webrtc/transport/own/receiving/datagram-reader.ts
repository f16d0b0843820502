import type { NativeContext } from '../native/native-context.ts';
import type { Symbols } from '../native/symbols.ts';
import { waitedSince } from './arrival-time.ts';
import { mostDatagrams, ReceiveStructures } from './receive-structures.ts';
import { type SenderAddress, senderAddress } from './sender-address.ts';

/** Native functions and buffers for reading. */
export type ReadBench = Pick<NativeContext, 'arena' | 'errno' | 'receive'> & {
  readonly symbols: Pick<Symbols, 'recvmmsg'>;
};

/** Called for each datagram. The wait before reading is known where the system reports arrival times. */
export type OnRead = (bytes: Buffer, from: SenderAddress, waitedMs: number) => void;

/** Numbers of Linux. */
const dontWait = 0x40;
const error = { interrupted: 4, again: 11 } as const;
/** Limit of reads per turn, so that a flood does not block other work. */
const mostCalls = 8;
/** Addresses whose text is remembered. */
const mostKnown = 4096;

/** Reads all that waits at a socket with few calls. */
export class DatagramReader {
  readonly #bench: ReadBench;
  readonly #structures: ReceiveStructures;
  readonly #known = new Map<string, SenderAddress | undefined>();

  constructor(bench: ReadBench) {
    this.#bench = bench;
    this.#structures = new ReceiveStructures(bench.arena, bench.receive);
  }

  /** False when there may be more. Throws what the system says of a socket that cannot be read; ends when `isOver` says so. */
  drain(descriptor: number, onRead: OnRead, isOver: () => boolean): boolean {
    for (let call = 0; call < mostCalls; call++) {
      const { symbols, errno } = this.#bench;
      const count = symbols.recvmmsg(descriptor, this.#structures.address, mostDatagrams, dontWait, 0);
      if (count < 0) {
        const code = errno();
        if (code === error.interrupted) continue;
        if (code === error.again) return true;
        throw new Error(`datagrams cannot be read: error ${code}`);
      }
      const nowMs = Date.now();
      for (let slot = 0; slot < Math.min(count, mostDatagrams); slot++) {
        if (!isOver()) this.#read(slot, nowMs, onRead);
        this.#structures.renew(slot);
      }
      if (count < mostDatagrams || isOver()) return true;
    }
    return false;
  }

  #read(slot: number, nowMs: number, onRead: OnRead): void {
    const bytes = this.#structures.datagram(slot);
    const from = this.#addressOf(this.#structures.from(slot));
    const cameMs = this.#structures.cameMs(slot);
    if (!bytes || !from) return;
    onRead(bytes, from, cameMs === undefined ? 0 : waitedSince(cameMs, nowMs));
  }

  #addressOf(text: string): SenderAddress | undefined {
    const known = this.#known.get(text);
    if (known) return known;
    const address = senderAddress(Buffer.from(text, 'latin1'));
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(text, address);
    return address;
  }
}
