import { SequenceUnwrapper } from '../rtp-packet.ts';

/** Two packets that changed places on the way need no repair. */
const patienceMs = 8;
const mostTries = 12;
/** Each further request for the same packet waits so many times as long: on a full line, requests would make it fuller. */
const slower = 1.5;
/** Answers after more requests tell nothing of the round trip. */
const triesThatTell = 3;
/** A hole this large is not repaired packet by packet. */
const mostMissing = 512;
const mostAtOnce = 128;

interface Missing {
  readonly sinceMs: number;
  firstAskedMs: number;
  askedMs: number;
  tries: number;
}

/** List of missing packets, with the times to request them (again). */
export class NackList {
  readonly #giveUpMs: number;
  readonly #unwrapper = new SequenceUnwrapper();
  readonly #missing = new Map<number, Missing>();
  #highest: number | undefined;
  /** Packets that arrived after a request. */
  answered = 0;
  /** Round-trip time, measured on answered requests. */
  roundTripMs = 50;

  constructor(giveUpMs: number) {
    this.#giveUpMs = giveUpMs;
  }

  get size(): number {
    return this.#missing.size;
  }

  /** A packet came; false when the hole before it is beyond repair. */
  onPacket(wireSequence: number, nowMs: number): boolean {
    const sequence = this.#unwrapper.next(wireSequence);
    const highest = this.#highest;
    if (highest === undefined) {
      this.#highest = sequence;
      return true;
    }
    if (sequence <= highest) {
      this.#onLate(sequence, nowMs);
      return true;
    }
    this.#highest = sequence;
    if (sequence - highest - 1 + this.#missing.size > mostMissing) {
      this.#missing.clear();
      return false;
    }
    for (let hole = highest + 1; hole < sequence; hole++)
      this.#missing.set(hole, { sinceMs: nowMs, firstAskedMs: nowMs, askedMs: Number.NEGATIVE_INFINITY, tries: 0 });
    return true;
  }

  /** The numbers to ask for now, in order. A request that may itself be lost is repeated once an answer is overdue. */
  due(nowMs: number): number[] {
    const due: number[] = [];
    const againMs = Math.max(20, this.roundTripMs * 1.5);
    for (const [sequence, missing] of this.#missing) {
      if (nowMs - missing.sinceMs > this.#giveUpMs || missing.tries >= mostTries) {
        this.#missing.delete(sequence);
        continue;
      }
      if (nowMs - missing.sinceMs < patienceMs) continue;
      if (nowMs - missing.askedMs < againMs * slower ** (missing.tries - 1)) continue;
      if (due.length >= mostAtOnce) break;
      if (missing.tries === 0) missing.firstAskedMs = nowMs;
      missing.askedMs = nowMs;
      missing.tries += 1;
      due.push(sequence & 0xffff);
    }
    return due;
  }

  #onLate(sequence: number, nowMs: number): void {
    const missing = this.#missing.get(sequence);
    if (!missing) return;
    this.#missing.delete(sequence);
    if (missing.tries > 0) this.answered += 1;
    // The first request was answered, unless it was lost; after many of them that is more likely.
    if (missing.tries > 0 && missing.tries <= triesThatTell)
      this.roundTripMs += (nowMs - missing.firstAskedMs - this.roundTripMs) / 8;
  }
}
