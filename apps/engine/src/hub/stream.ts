import type { StreamPlace } from '@weir/dialect';
import type { AudioConfig, MediaFrame, TrackConfig, VideoConfig } from '@weir/media';
import { Patience } from '@weir/plane';
import type { ClientEntry } from './clients/clients.ts';
import { Refused } from './clients/gate.ts';
import { GopCache } from './gop-cache.ts';
import { inOwnMemory } from './own-memory.ts';
import type { Packager } from './packager.ts';
import { Packagers } from './packagers.ts';
import { PictureOrder } from './picture-order.ts';
import { StreamStats } from './stream-stats.ts';
import { StreamSubtitles } from './subtitles/stream-subtitles.ts';
import { Timeline } from './timeline.ts';

/** Where a packager gets its frames. */
export interface FrameSource {
  /** Frames since the last keyframe, oldest first; for a packager that starts in the middle. */
  cached(): readonly MediaFrame[];
  /** Feeds a packager: first the configs there are, then every frame from now on. The cache is the packager's to read. */
  attach(packager: Packager): void;
  detach(packager: Packager): void;
}

/** What a packager and its server may see of a stream. */
export interface StreamView extends FrameSource {
  readonly key: string;
  readonly place: StreamPlace;
  readonly video: VideoConfig | undefined;
  readonly audio: AudioConfig | undefined;
  /** True while somebody publishes. */
  readonly isLive: boolean;
  /** Nobody publishes, and the last of what was published is still being converted. */
  readonly isDraining: boolean;
  /** What the publisher says of itself, for players that show it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What is said in it, as far as somebody writes it down. */
  readonly subtitles: StreamSubtitles;
}

/** The publisher's end of a stream. Of no effect once it has ended. */
export interface Publication {
  config(config: TrackConfig): void;
  frame(frame: MediaFrame): void;
  metadata(values: Readonly<Record<string, unknown>>): void;
  end(): void;
}

interface Options {
  readonly key: string;
  readonly place: StreamPlace;
  /** How long viewers and numbering wait for a publisher to return. */
  readonly returnMs: number;
  /** Nobody came back: the stream is over. */
  readonly onOver: (stream: Stream) => void;
  /** Somebody publishes from now on, or nobody does. */
  readonly onPublisher?: (stream: Stream) => void;
  /** A reader could not cope with what was published. */
  readonly onFault?: (stream: Stream, error: unknown) => void;
}

/** Where one publisher and everybody who reads it meet. It outlives the publisher by the time that one may take to return. */
export class Stream implements StreamView {
  readonly key: string;
  readonly place: StreamPlace;
  readonly id: string = crypto.randomUUID().slice(0, 8);
  readonly stats = new StreamStats();
  /** What is published passes at once. */
  readonly isDraining = false;
  video: VideoConfig | undefined;
  audio: AudioConfig | undefined;
  metadata: Readonly<Record<string, unknown>> = {};
  publisher: ClientEntry | undefined;
  publishedAt: Date | undefined;
  readonly #options: Options;
  readonly #cache = new GopCache();
  readonly #timeline = new Timeline();
  readonly #order = new PictureOrder();
  readonly #packagers = new Packagers((error) => this.fault(error));
  readonly subtitles = new StreamSubtitles(() => this.#timeline.newestMs);
  #return: Patience | undefined;
  #isOver = false;

  constructor(options: Options) {
    this.#options = options;
    this.key = options.key;
    this.place = options.place;
    // A stream that a viewer asked for and nobody publishes ends like one whose publisher left.
    this.#waitForPublisher();
  }

  get isLive(): boolean {
    return this.publisher !== undefined;
  }

  /** It has B-frames, which not every player can show. */
  get isReordered(): boolean {
    return this.#order.isReordered;
  }

  get cachedBytes(): number {
    return this.#cache.bytes;
  }

  cached(): readonly MediaFrame[] {
    return this.#cache.frames;
  }

  attach(packager: Packager): void {
    if (this.#isOver) {
      packager.close();
      return;
    }
    this.#packagers.add(packager, [this.video, this.audio]);
  }

  detach(packager: Packager): void {
    this.#packagers.remove(packager);
  }

  /** Something made of this stream failed. The stream goes on, and somebody is told. */
  fault(error: unknown): void {
    this.#options.onFault?.(this, error);
  }

  /** Throws Refused while somebody else publishes; that one notices nothing. */
  publish(client: ClientEntry): Publication {
    if (this.publisher) throw new Refused('this stream is already being published', { reason: 'in-use' });
    this.#return?.end();
    this.publisher = client;
    this.publishedAt = new Date();
    // What the last one said of itself need not be true of this one.
    this.metadata = {};
    this.#timeline.expectOther();
    this.#options.onPublisher?.(this);
    const isMine = () => this.publisher === client;
    return {
      config: (config) => isMine() && this.#onConfig(config),
      frame: (frame) => isMine() && this.#onFrame(frame),
      metadata: (values) => {
        if (isMine()) this.metadata = values;
      },
      end: () => isMine() && this.#onEnd(),
    };
  }

  #onConfig(config: TrackConfig): void {
    const before = config.kind === 'video' ? this.video : this.audio;
    if (before && before.codec === config.codec && before.record.equals(config.record)) return;
    if (config.kind === 'video') {
      this.video = config;
      this.#order.begin(config);
    } else {
      this.audio = config;
    }
    // Frames of the old form cannot be decoded with the new one.
    if (before && config.kind === 'video') this.#cache.clear();
    this.#packagers.config(config);
  }

  #onFrame(frame: MediaFrame): void {
    if (this.#timeline.advance(frame.dtsMs) === 'seam') {
      this.#cache.clear();
      this.#order.seam();
      this.stats.seams += 1;
      this.#packagers.discontinuity();
    }
    const mapped = inOwnMemory(this.#timeline.place(frame));
    this.stats.count(mapped);
    if (mapped.kind === 'video') this.#order.observe(mapped);
    this.#cache.push(mapped);
    this.#packagers.frame(mapped);
  }

  #onEnd(): void {
    this.publisher = undefined;
    this.publishedAt = undefined;
    this.#cache.clear();
    this.#packagers.leave();
    this.#options.onPublisher?.(this);
    this.#waitForPublisher();
  }

  #waitForPublisher(): void {
    this.#return = new Patience(this.#options.returnMs, () => this.close());
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#return?.end();
    this.#packagers.close();
    this.subtitles.close();
    this.#options.onOver(this);
  }
}
