import { toNetwork } from '@weir/streams';

interface PendingLimits {
  /** Limits for all connections together, and for those of one network. */
  readonly all: number;
  readonly ofNetwork: number;
  /** Amount that one connection may always hold. */
  readonly small: number;
}

/** Bytes that many connections hold in memory, each for as long as its peer likes: messages that do not end, answers that are not read. */
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
    return new PendingAccount(this, toNetwork(address));
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

  /** Sets what the connection holds. False when that is more than there is room for. */
  set(bytes: number): boolean {
    if (bytes === this.#bytes) return true;
    const before = this.#bytes;
    this.#bytes = bytes;
    return this.#pending.move(this.#network, before, bytes);
  }
}
