import { type FinishedSegment, placeText } from '@weir/dialect';

interface QueueOptions {
  /** Segments that may wait; one more is missed. */
  readonly most: number;
  /** Streams that are worked on at the same time. */
  readonly width: number;
  /** Must not throw. */
  readonly work: (segment: FinishedSegment) => Promise<void>;
}

/** Segments that wait for one consumer: in order within a stream, a few streams at a time, never more than a bound. */
export class SegmentQueue {
  readonly #options: QueueOptions;
  readonly #lanes = new Map<string, FinishedSegment[]>();
  #waiting = 0;
  #running = 0;
  #idle = Promise.withResolvers<void>();

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#idle.resolve();
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** False when there is no room. */
  push(segment: FinishedSegment): boolean {
    if (this.#waiting >= this.#options.most) return false;
    if (this.#waiting === 0 && this.#running === 0) this.#idle = Promise.withResolvers<void>();
    this.#waiting++;
    const key = placeText(segment);
    const lane = this.#lanes.get(key);
    // A lane that is there is being worked on, or waits for its turn.
    if (lane) lane.push(segment);
    else {
      this.#lanes.set(key, [segment]);
      this.#start();
    }
    return true;
  }

  /** Resolves when nothing waits and nobody works. */
  idle(): Promise<void> {
    return this.#idle.promise;
  }

  readonly #active = new Set<string>();

  #start(): void {
    for (const key of this.#lanes.keys()) {
      if (this.#running >= this.#options.width) return;
      if (this.#active.has(key)) continue;
      this.#active.add(key);
      this.#running++;
      void this.#workOff(key);
    }
  }

  /** Takes one segment, then the next waiting stream: a long backlog does not delay others. */
  async #workOff(key: string): Promise<void> {
    const lane = this.#lanes.get(key) ?? [];
    const segment = lane.shift();
    if (segment) {
      this.#waiting--;
      await this.#options.work(segment);
    }
    this.#lanes.delete(key);
    if (lane.length > 0) this.#lanes.set(key, lane);
    this.#active.delete(key);
    this.#running--;
    this.#start();
    if (this.#waiting === 0 && this.#running === 0) this.#idle.resolve();
  }
}
