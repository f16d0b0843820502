import { networkOf } from '@weir/dialect';

interface PendingLimits {
  /** Unfinished bytes of all connections, and of those of one network. */
  readonly all: number;
  readonly ofNetwork: number;
  /** Connections with no more than this are never closed for it. */
  readonly small: number;
}

/**
 * Bytes of messages that have begun and not ended, over many connections: each holds memory for as long as its peer likes.
 * Nobody waits for room here; whoever would take more than there is loses its connection.
 */
export class PendingBytes {
  readonly #limits: PendingLimits;
  readonly #byNetwork = new Map<string, number>();
  #total = 0;

  constructor(limits: PendingLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  account(address: string): PendingAccount {
    return new PendingAccount(this, networkOf(address));
  }

  /** False when there is no room for so much. It is counted all the same, until its owner gives it back. */
  move(network: string, from: number, to: number): boolean {
    this.#total += to - from;
    const ofNetwork = (this.#byNetwork.get(network) ?? 0) + to - from;
    if (ofNetwork > 0) this.#byNetwork.set(network, ofNetwork);
    else this.#byNetwork.delete(network);
    if (to <= from || to <= this.#limits.small) return true;
    return this.#total <= this.#limits.all && ofNetwork <= this.#limits.ofNetwork;
  }
}

/** Part held by one connection. */
export class PendingAccount {
  readonly #pending: PendingBytes;
  readonly #network: string;
  #bytes = 0;

  constructor(pending: PendingBytes, network: string) {
    this.#pending = pending;
    this.#network = network;
  }

  /** After each read. False when it must go. */
  set(bytes: number): boolean {
    if (bytes === this.#bytes) return true;
    const before = this.#bytes;
    this.#bytes = bytes;
    return this.#pending.move(this.#network, before, bytes);
  }
}
