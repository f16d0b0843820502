import { type EndedStream, limits } from '@weir/contract';
import { type Clock, isoNow } from '../../core/clock.ts';
import type { PublishedStream } from '../../core/events.ts';

/** Recently ended streams, for users who find nothing live. In memory, and few. */
export class EndedStreams {
  readonly #clock: Clock;
  /** The newest is the last. */
  readonly #ended = new Map<string, EndedStream>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(stream: PublishedStream): void {
    const { vhost, app, stream: name, publishedAt } = stream;
    const key = keyOf(stream);
    this.#ended.delete(key);
    this.#ended.set(key, { vhost, app, stream: name, publishedAt, endedAt: isoNow(this.#clock) });
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= limits.endedStreams) break;
      this.#ended.delete(oldest);
    }
  }

  /** Removes a stream that is live again. */
  forget(stream: Pick<PublishedStream, 'vhost' | 'app' | 'stream'>): void {
    this.#ended.delete(keyOf(stream));
  }

  /** Newest first. */
  list(): EndedStream[] {
    return [...this.#ended.values()].reverse();
  }
}

function keyOf({ vhost, app, stream }: Pick<PublishedStream, 'vhost' | 'app' | 'stream'>): string {
  return JSON.stringify([vhost, app, stream]);
}
