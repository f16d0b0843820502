import type { Socket } from 'node:net';
import { KernelQueues } from './kernel-queues.ts';
import { SendTimes } from './send-times.ts';

const queues = new KernelQueues();

/** How far behind viewers of one fan-out are: the age of the oldest byte that waits to be sent to them. */
export class ViewerLag {
  readonly #times = new SendTimes();
  #total = 0;

  /** What everybody was given so far. */
  get total(): number {
    return this.#total;
  }

  /** Once for all viewers, whenever something goes out. */
  add(bytes: number, nowMs: number): void {
    this.#times.mark(this.#total, nowMs);
    this.#total += bytes;
  }

  /** `until`: what the viewer was given, where that is not everything. */
  of(socket: Socket, until = this.#total): number {
    const waiting = socket.writableLength + queues.bytesOf(socket);
    return waiting === 0 ? 0 : this.#times.ageOf(until - waiting, performance.now());
  }
}
