/** Packets of one block of libsrt's send buffer, which grows by blocks and never shrinks. */
const blockPackets = 32;
/** Bytes of one block: each packet has its place and a node of a list. */
const blockBytes = blockPackets * 1536;
/** Packets that a player may have unconfirmed. */
export const mostUnconfirmed = 1024;
/** Time without a confirmation after which a player counts as stalled. */
const stalledAfterMs = 1000;
/** A player that confirms nothing for this long is disconnected. */
const endAfterMs = 5000;
const updateEveryMs = 500;
/** Interval of probes while a peer that once confirmed packets confirms nothing. */
const probeEveryMs = 500;

/** Memory account of a connection's send buffer. */
export interface SendAccount {
  grow(bytes: number): boolean;
  stall(): boolean;
  resume(): void;
}

/** Account without limits, for connections that are not counted. */
const unlimited: SendAccount = { grow: () => true, stall: () => true, resume: () => undefined };

/**
 * Limit of unconfirmed packets of a peer. Begins with one block and doubles as packets are confirmed, as far as memory
 * is granted: a peer that confirms nothing costs no more than the first block.
 */
export class SendWindow {
  /** Packets that may be unconfirmed in any case. */
  bound = Number.POSITIVE_INFINITY;
  readonly #queryUnconfirmed: () => number;
  #account = unlimited;
  #packets = blockPackets;
  #confirmed = 0;
  /** Unconfirmed packets at the last query, plus packets sent since. */
  #unconfirmed = 0;
  #updatedMs: number;
  #progressMs: number;
  #isStalled = true;
  #probedMs = Number.NEGATIVE_INFINITY;
  #hasProbeBlock = false;

  /** `queryUnconfirmed` returns the number of unconfirmed packets. */
  constructor(queryUnconfirmed: () => number, nowMs: number) {
    this.#queryUnconfirmed = queryUnconfirmed;
    this.#updatedMs = nowMs;
    this.#progressMs = nowMs;
  }

  countOn(account: SendAccount): void {
    this.#account = account;
  }

  /** Time of the last confirmation, or of the last moment without unconfirmed packets. */
  get progressMs(): number {
    return this.#progressMs;
  }

  /** Packets sent and not yet confirmed. */
  unconfirmed(nowMs: number): number {
    this.#update(nowMs);
    return this.#unconfirmed;
  }

  /** True when libsrt may be given another packet. */
  hasRoom(nowMs: number): boolean {
    const most = Math.min(this.#packets, this.bound);
    if (this.#unconfirmed < most) return true;
    this.#update(nowMs);
    if (this.#unconfirmed < most) return true;
    if (this.bound <= this.#packets) return false;
    // The window doubles only after a full window of packets was confirmed.
    if (this.#packets >= mostUnconfirmed || this.#confirmed < this.#packets) return false;
    if (!this.#account.grow((blockBytes * this.#packets) / blockPackets)) return false;
    this.#packets *= 2;
    return true;
  }

  /**
   * True when one packet beyond the full window is due. libsrt repeats packets only when the peer reports a gap, and a peer whose link
   * was down sees none until something new arrives.
   */
  isProbeDue(nowMs: number): boolean {
    if (this.#confirmed === 0 || nowMs - Math.max(this.#progressMs, this.#probedMs) < probeEveryMs) return false;
    this.#hasProbeBlock ||= this.#account.grow(blockBytes);
    if (this.#hasProbeBlock) this.#probedMs = nowMs;
    return this.#hasProbeBlock;
  }

  noteSent(nowMs: number): void {
    if (this.#unconfirmed === 0) this.#progressMs = nowMs;
    this.#unconfirmed += 1;
  }

  /** Reason to disconnect the peer, if any. Called with every batch that is offered to it. */
  complaint(nowMs: number): string | undefined {
    if (nowMs - this.#updatedMs >= updateEveryMs) this.#update(nowMs);
    const silentMs = this.#unconfirmed === 0 ? 0 : nowMs - this.#progressMs;
    if (silentMs > endAfterMs) return `nothing confirmed for ${endAfterMs / 1000} s`;
    if (this.#isStalled || silentMs <= stalledAfterMs) return undefined;
    this.#isStalled = true;
    return this.#account.stall() ? undefined : 'too many players of this network confirm nothing';
  }

  #update(nowMs: number): void {
    const unconfirmed = this.#queryUnconfirmed();
    const confirmed = this.#unconfirmed - unconfirmed;
    this.#unconfirmed = unconfirmed;
    this.#updatedMs = nowMs;
    if (confirmed <= 0) return;
    this.#confirmed += confirmed;
    this.#progressMs = nowMs;
    if (!this.#isStalled) return;
    this.#isStalled = false;
    this.#account.resume();
  }
}
