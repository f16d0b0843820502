import type { Arena, Region } from '../native/arena.ts';

const slotBytes = 2048;
/** Payloads of one viewer's turn, so that the next viewer finds them all. A power of two. */
const slots = 64;

/** Memory needed. */
export const stagedBytes = slots * slotBytes;

/** Payloads shared by all viewers, copied once into native memory for encryption. Identified by object, so their content must not change. */
export class StagedPayloads {
  readonly #arena: Arena;
  readonly #at: number;
  readonly #held: (Buffer | undefined)[] = Array.from({ length: slots }, () => undefined);
  /** Last requested and last filled slot. */
  #last = 0;
  #newest = 0;

  constructor(arena: Arena, { at, length }: Region) {
    if (length < stagedBytes) throw new RangeError('no room for payloads');
    this.#arena = arena;
    this.#at = at;
  }

  /** Position in the arena, valid until this many others were placed. */
  place(payload: Buffer): number {
    // Viewers get the same packets in the same order: mostly it is the one behind the last.
    let slot = (this.#last + 1) % slots;
    if (this.#held[slot] !== payload) slot = this.#held.indexOf(payload);
    if (slot < 0) slot = this.#fill(payload);
    this.#last = slot;
    return this.#at + slot * slotBytes;
  }

  /** Drops all references. */
  clear(): void {
    this.#held.fill(undefined);
  }

  #fill(payload: Buffer): number {
    if (payload.length > slotBytes) throw new RangeError('no such payload');
    const slot = (this.#newest + 1) % slots;
    this.#newest = slot;
    this.#arena.bytes.set(payload, this.#at + slot * slotBytes);
    this.#held[slot] = payload;
    return slot;
  }
}
