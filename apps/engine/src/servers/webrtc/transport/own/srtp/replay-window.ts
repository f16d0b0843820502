/** Packets that were lost are sent again within a second or so; of a fast stream that many are on their way. A power of two. */
const windowPackets = 1024;

/** Which packets of one source were seen, by numbers without end (RFC 3711, 3.3). */
export class ReplayWindow {
  readonly #seen = new Uint32Array(windowPackets / 32);
  #highest = -1;

  /** The full number of a packet of which sixteen bits are known: the nearest to the newest. */
  indexOf(sequence: number): number {
    return this.#highest < 0 ? sequence : this.#highest + (((sequence - this.#highest) << 16) >> 16);
  }

  isNew(index: number): boolean {
    if (index > this.#highest) return true;
    if (index < 0 || index <= this.#highest - windowPackets) return false;
    return ((this.#seen[(index % windowPackets) >> 5] ?? 0) & (1 << (index & 31))) === 0;
  }

  /** Marks an authenticated packet as seen. */
  accept(index: number): void {
    if (index - this.#highest >= windowPackets) this.#seen.fill(0);
    else for (let next = this.#highest + 1; next < index; next++) this.#set(next, false);
    this.#set(index, true);
    this.#highest = Math.max(this.#highest, index);
  }

  #set(index: number, isSeen: boolean): void {
    const word = (index % windowPackets) >> 5;
    const bit = 1 << (index & 31);
    this.#seen[word] = isSeen ? (this.#seen[word] ?? 0) | bit : (this.#seen[word] ?? 0) & ~bit;
  }
}
