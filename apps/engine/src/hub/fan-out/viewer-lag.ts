import { KernelQueues } from './kernel-queues.ts';
import { SendTimes } from './send-times.ts';
import type { Viewer } from './viewer.ts';

const queues = new KernelQueues();

/** Lag of the viewers of one fan-out: the age of the oldest unsent byte. */
export class ViewerLag {
  readonly #times = new SendTimes();
  #total = 0;

  /** Bytes given to every viewer so far. */
  get total(): number {
    return this.#total;
  }

  /** Once for all viewers, whenever something goes out. */
  add(bytes: number, nowMs: number): void {
    this.#times.mark(this.#total, nowMs);
    this.#total += bytes;
  }

  of({ socket, queue, givenUntil = this.#total }: Viewer): number {
    const waiting = queue.waiting + queues.bytesOf(socket);
    return waiting === 0 ? 0 : this.#times.ageOf(givenUntil - waiting, performance.now());
  }
}
