import type { MediaFrame, TrackConfig } from '@weir/media';
import { readQuality } from '@weir/streams';
import type { Packager } from '../../hub/packager.ts';
import type { Quality } from '../../hub/qualities/quality.ts';
import { type FrameSource, Stream } from '../../hub/stream.ts';
import { FrameGate } from '../link/frame-gate.ts';
import { noteConfig } from '../link/link-message.ts';
import type { EngineNote } from '../link/notes.ts';

/** Link functions that a feed needs. */
interface FeedLink {
  readonly queuedBytes: number;
  tell(note: EngineNote): void;
  frame(number: number, frame: MediaFrame): void;
}

interface FeedOptions {
  readonly stream: Stream;
  /** Set for a lower quality of another feed's stream. */
  readonly lower?: { readonly of: number; readonly name: string };
  /** The stream as the worker's viewers see it. */
  readonly source: FrameSource;
  readonly link: FeedLink;
  readonly onDropped: () => void;
}

/** Stream sent to one worker: once, for any number of viewers there. */
class StreamFeed implements Packager {
  readonly #number: number;
  readonly #stream: Stream;
  readonly #source: FrameSource;
  readonly #link: FeedLink;
  readonly #onDropped: () => void;
  readonly #gate = new FrameGate();
  #told = '';

  constructor(number: number, { stream, lower, source, link, onDropped }: FeedOptions) {
    this.#number = number;
    this.#stream = stream;
    this.#onDropped = onDropped;
    this.#source = source;
    this.#link = link;
    link.tell({ type: 'feed', feed: number, publisher: this.#findPublisher(), ...(lower && { lower }) });
    source.attach(this);
    for (const frame of source.cached()) this.onFrame(frame);
  }

  onConfig(config: TrackConfig): void {
    this.#link.tell({ type: 'feed-config', feed: this.#number, config: noteConfig(config) });
  }

  onFrame(frame: MediaFrame): void {
    if (frame.kind === 'video' && frame.isKeyframe) this.#sendPublisher();
    if (this.#gate.passes(frame, this.#link.queuedBytes)) this.#link.frame(this.#number, frame);
    else this.#onDropped();
  }

  onDiscontinuity(): void {
    this.#link.tell({ type: 'feed-seam', feed: this.#number, publisher: this.#findPublisher() });
  }

  close(): void {
    this.#link.tell({ type: 'feed-over', feed: this.#number });
  }

  /** The program may have another input on air, which begins with a keyframe. */
  #sendPublisher(): void {
    const before = this.#told;
    const publisher = this.#findPublisher();
    if (publisher !== before) this.#link.tell({ type: 'feed-publisher', feed: this.#number, publisher });
  }

  #findPublisher(): string {
    const own = this.#stream.publisher;
    const publisher = own?.onAir ? own.onAir() : own;
    this.#told = publisher?.info.kind === 'rtc-publish' ? publisher.key : '';
    return this.#told;
  }

  end(): void {
    this.#source.detach(this);
    this.#link.tell({ type: 'feed-end', feed: this.#number });
  }
}

interface Fed {
  readonly number: number;
  readonly feed: StreamFeed;
  viewers: number;
  /** Feeds of lower qualities that viewers there may change to. */
  readonly lower: Map<Quality, StreamFeed>;
}

/** Its viewers use all qualities, or a requested one. */
type Qualities = 'all' | 'asked';

/** Streams sent to one worker, each while it has a viewer there. */
export class StreamFeeds {
  readonly #link: FeedLink;
  readonly #sourceOf: (stream: Stream, quality: Quality | undefined) => FrameSource;
  readonly #qualities: Qualities;
  readonly #fed = new Map<Stream | Quality, Fed>();
  #last = 0;
  #dropped = 0;

  constructor(
    link: FeedLink,
    sourceOf: (stream: Stream, quality: Quality | undefined) => FrameSource,
    qualities: Qualities = 'asked',
  ) {
    this.#qualities = qualities;
    this.#link = link;
    this.#sourceOf = sourceOf;
  }

  /** Frames that the worker was too slow for, since this was last asked. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  /** The quality that a viewer with this query gets a feed of; undefined for the stream itself. */
  choose(stream: Stream, query: string): Quality | undefined {
    return this.#qualities === 'asked' ? stream.qualities.choose(readQuality(query)) : undefined;
  }

  /** Called once a second, because qualities begin and end. */
  sync(): void {
    if (this.#qualities === 'asked') return;
    for (const [stream, fed] of this.#fed) if (stream instanceof Stream) this.#syncLower(stream, fed);
  }

  #syncLower(stream: Stream, { number, lower }: Fed): void {
    const { offered } = stream.qualities;
    for (const [quality, feed] of lower) {
      if (offered.includes(quality)) continue;
      lower.delete(quality);
      feed.end();
    }
    for (const quality of offered) {
      if (lower.has(quality)) continue;
      const { name } = quality;
      lower.set(quality, this.#open(stream, quality, { of: number, name }));
    }
  }

  /** Adds a viewer; returns the worker's number of the stream or its lower quality. */
  enter(stream: Stream, quality?: Quality): number {
    const fed = this.#fed.get(quality ?? stream) ?? this.#begin(stream, quality);
    fed.viewers += 1;
    return fed.number;
  }

  leave(stream: Stream, quality?: Quality): void {
    const key = quality ?? stream;
    const fed = this.#fed.get(key);
    if (!fed) return;
    fed.viewers -= 1;
    if (fed.viewers > 0) return;
    this.#fed.delete(key);
    for (const feed of fed.lower.values()) feed.end();
    fed.feed.end();
  }

  #begin(stream: Stream, quality: Quality | undefined): Fed {
    const feed = this.#open(stream, this.#sourceOf(stream, quality));
    const fed: Fed = { number: this.#last, feed, viewers: 0, lower: new Map() };
    this.#fed.set(quality ?? stream, fed);
    if (this.#qualities === 'all') this.#syncLower(stream, fed);
    return fed;
  }

  #open(stream: Stream, source: FrameSource, lower?: { readonly of: number; readonly name: string }): StreamFeed {
    this.#last += 1;
    const onDropped = () => {
      this.#dropped += 1;
    };
    return new StreamFeed(this.#last, { stream, source, link: this.#link, onDropped, ...(lower && { lower }) });
  }
}
