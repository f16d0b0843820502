import type { PublisherEnd } from '@weir/engine-api';
import type { Clock } from '../../core/clock.ts';
import type { Events, PublishedStream } from '../../core/events.ts';
import { publicationKey } from '../../core/events.ts';
import type { LiveStream } from '../../media-server/media-server.ts';
import { toPublishedStream } from './published-stream.ts';

/** Longer than an accepted publisher can take from the answer of its hook to the engine's list. */
const settleMs = 6000;
const rememberedEnds = 1000;

interface Accepted {
  readonly stream: PublishedStream;
  readonly atMs: number;
}

/**
 * Accepted publishers that have not left. Turns hooks, which may be lost or repeated, into exactly one
 * `stream:published` and one `stream:ended` each. It is no list of live streams; only the engine knows those.
 */
export class Publishers {
  readonly #events: Events;
  readonly #clock: Clock;
  readonly #accepted = new Map<string, Accepted>();
  /** Late hooks and lists that were on their way must neither bring these back nor end them again. */
  readonly #ended = new Set<string>();

  constructor(events: Events, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
  }

  /** A publisher was accepted. The same client may have published before. */
  published(stream: PublishedStream): void {
    this.#ended.delete(publicationKey(stream));
    this.#begin(stream);
  }

  /** Also for an unknown publisher, which was accepted before this process started. */
  ended(stream: PublishedStream, why?: PublisherEnd): void {
    const key = publicationKey(stream);
    if (this.#ended.has(key)) return;
    const known = this.#accepted.get(key)?.stream;
    this.#accepted.delete(key);
    this.#ended.add(key);
    for (const oldest of this.#ended) {
      if (this.#ended.size <= rememberedEnds) break;
      this.#ended.delete(oldest);
    }
    // A key that is known now may not have been when this process began.
    const named = known?.key === undefined && stream.key !== undefined && { key: stream.key };
    this.#events.emit('stream:ended', { ...(known ?? stream), ...named, ...(why && { why }) });
  }

  /** True if this name has a publisher. */
  has({ vhost, app, stream }: Pick<PublishedStream, 'vhost' | 'app' | 'stream'>): boolean {
    return [...this.#accepted.values()].some(
      ({ stream: one }) => one.stream === stream && one.app === app && one.vhost === vhost,
    );
  }

  /** Compares with the engine's list: some may have vanished with it, others may have been accepted earlier. */
  async reconcile(list: () => Promise<LiveStream[]>): Promise<void> {
    const askedMs = this.#clock.elapsedMs();
    const live = (await list()).map(toPublishedStream);
    const liveKeys = new Set(live.map(publicationKey));
    for (const [key, { stream, atMs }] of [...this.#accepted]) {
      if (!liveKeys.has(key) && askedMs - atMs >= settleMs) this.ended(stream);
    }
    for (const stream of live) {
      if (!this.#ended.has(publicationKey(stream))) this.#begin(stream);
    }
  }

  #begin(stream: PublishedStream): void {
    const key = publicationKey(stream);
    if (this.#accepted.has(key)) return;
    this.#accepted.set(key, { stream, atMs: this.#clock.elapsedMs() });
    this.#events.emit('stream:published', stream);
  }
}
