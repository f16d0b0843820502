/** Request for a playlist or part that does not exist yet. */
interface Waiter {
  /** Answers if possible; returns whether it did. */
  readonly attempt: () => boolean;
  readonly onTimeout: () => void;
  readonly deadlineMs: number;
}

/** Requests that are answered later. Every change of the stream, and a timer, checks all of them. */
export class BlockedRequests {
  #waiting = new Set<Waiter>();

  /** Answers at once if possible. The returned function removes the request. */
  add(waiter: Waiter): () => void {
    if (!waiter.attempt()) this.#waiting.add(waiter);
    return () => this.#waiting.delete(waiter);
  }

  wake(): void {
    for (const waiter of this.#waiting) if (waiter.attempt()) this.#waiting.delete(waiter);
  }

  expire(nowMs: number): void {
    for (const waiter of this.#waiting) {
      if (waiter.deadlineMs > nowMs) continue;
      this.#waiting.delete(waiter);
      waiter.onTimeout();
    }
  }

  /** Answers all waiting requests with failure. */
  giveUp(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const waiter of waiting) waiter.onTimeout();
  }
}
