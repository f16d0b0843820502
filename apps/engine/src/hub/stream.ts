import {
  type AudioConfig,
  isSameDecoder,
  type MediaFrame,
  type TrackConfig,
  type VideoConfig,
  withoutTracks,
} from '@weir/media';
import { IdleTimeout } from '@weir/plane';
import type { StreamPlace } from '@weir/streams';
import { BFrameDetector } from './b-frame-detector.ts';
import type { ClientEntry } from './clients/clients.ts';
import { Refused } from './clients/gate.ts';
import { GopCache } from './gop-cache.ts';
import { inOwnMemory } from './own-memory.ts';
import type { Packager } from './packager.ts';
import { Packagers } from './packagers.ts';
import { PublicationTimeline } from './publication/publication-timeline.ts';
import { TrackGate } from './publication/track-gate.ts';
import { Qualities } from './qualities/qualities.ts';
import { StreamStats } from './stream-stats.ts';
import { StreamSubtitles } from './stream-subtitles.ts';
import { readAudioFacts, withoutTrackMaps } from './tracks/audio-facts.ts';
import { AudioTracks, type OfferedTracks } from './tracks/audio-tracks.ts';

/** Source of frames for a packager. */
export interface FrameSource {
  /** Frames since the last keyframe, oldest first; for a packager that starts in the middle. */
  cached(): readonly MediaFrame[];
  /** Feeds a packager: first the configs there are, then every frame from now on. The cache is the packager's to read. */
  attach(packager: Packager): void;
  detach(packager: Packager): void;
}

/** Stream as packagers and servers see it. */
export interface StreamView extends FrameSource {
  readonly key: string;
  readonly place: StreamPlace;
  readonly video: VideoConfig | undefined;
  readonly audio: AudioConfig | undefined;
  /** True while it has a publisher. */
  readonly isLive: boolean;
  /** True if the publisher is gone and its last frames are still being converted. */
  readonly isDraining: boolean;
  /** No frame of the publisher has passed, so its tracks are not known. */
  readonly isStarting: boolean;
  /** Publisher's metadata for players, without announced tracks that never came. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Subtitles of the stream, if any. */
  readonly subtitles: StreamSubtitles;
  /** Lower qualities of the video, if any. */
  readonly qualities: Qualities;
  /** Alternative audio, if any. */
  readonly audioTracks: OfferedTracks;
}

/** The publisher's end of a stream. Of no effect once it has ended. */
export interface Publication {
  config(config: TrackConfig): void;
  frame(frame: MediaFrame): void;
  metadata(values: Readonly<Record<string, unknown>>): void;
  /** Video of a lower quality: its config, then its frames. The stream's own frames are those of the layer that leads. */
  lower(layer: number, media: VideoConfig | MediaFrame): void;
  lead(layer: number): void;
  /** Alternative audio: its config, then its frames. The number is the track's in the metadata. */
  audioTrack(track: number, media: AudioConfig | MediaFrame): void;
  end(): void;
}

interface Options {
  readonly key: string;
  readonly place: StreamPlace;
  /** Time that viewers and numbering wait for a publisher to return. */
  readonly returnMs: number;
  /** Called when no publisher returned: the stream is over. */
  readonly onOver: (stream: Stream) => void;
  /** Called when a publisher comes or leaves. */
  readonly onPublisher?: (stream: Stream) => void;
  /** A reader could not cope with what was published. */
  readonly onFault?: (stream: Stream, error: unknown) => void;
}

/** Connects one publisher with all its readers. Outlives the publisher by the time it may take to return. */
export class Stream implements StreamView {
  readonly key: string;
  readonly place: StreamPlace;
  readonly id: string = crypto.randomUUID().slice(0, 8);
  readonly stats = new StreamStats();
  /** Frames pass without conversion. */
  readonly isDraining = false;
  video: VideoConfig | undefined;
  audio: AudioConfig | undefined;
  metadata: Readonly<Record<string, unknown>> = {};
  publisher: ClientEntry | undefined;
  publishedAt: Date | undefined;
  readonly #options: Options;
  readonly #cache = new GopCache();
  readonly #timeline = new PublicationTimeline();
  readonly #order = new BFrameDetector();
  readonly #packagers = new Packagers((error) => this.fault(error));
  readonly subtitles = new StreamSubtitles(() => this.#timeline.newestMs);
  readonly qualities: Qualities;
  readonly audioTracks: AudioTracks;
  #gate: TrackGate | undefined;
  #said: Readonly<Record<string, unknown>> = {};
  #return: IdleTimeout | undefined;
  #isOver = false;

  constructor(options: Options) {
    this.#options = options;
    this.key = options.key;
    this.place = options.place;
    const beside = {
      newestMs: () => this.#timeline.newestMs,
      place: (frame: MediaFrame) => this.#timeline.placeBeside(frame),
      fault: (error: unknown) => this.fault(error),
    };
    this.qualities = new Qualities({ ...beside, streamVideo: () => this.video });
    this.audioTracks = new AudioTracks(beside);
    // A stream without a publisher, created for a viewer, ends like one whose publisher left.
    this.#waitForPublisher();
  }

  get isLive(): boolean {
    return this.publisher !== undefined;
  }

  get isStarting(): boolean {
    return !this.#gate?.isOpen;
  }

  /** True if it has B-frames, which not every player can show. */
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

  /** Reports the failure of a packager. The stream continues. */
  fault(error: unknown): void {
    this.#options.onFault?.(this, error);
  }

  /** Throws Refused while another client publishes, which is not affected. */
  publish(client: ClientEntry): Publication {
    if (this.publisher) throw new Refused('this stream is already being published', { reason: 'in-use' });
    this.#return?.end();
    this.publisher = client;
    this.publishedAt = new Date();
    // Metadata of the previous publisher does not apply to this one.
    this.#said = {};
    this.metadata = {};
    this.audioTracks.describe(readAudioFacts({}, client.info.param));
    const gate = new TrackGate({
      onOpen: (first) => this.#onOpen(gate, first),
      onConfig: (config) => this.#onConfig(config),
      onFrame: (frame) => this.#onFrame(frame),
    });
    this.#gate = gate;
    this.#options.onPublisher?.(this);
    const isMine = () => this.publisher === client;
    return {
      config: (config) => isMine() && gate.config(config),
      frame: (frame) => isMine() && gate.frame(frame),
      metadata: (values) => isMine() && this.#onMetadata(gate, values),
      lower: (layer, media) => {
        if (!isMine()) return;
        if ('payload' in media) this.qualities.frame(layer, media);
        else this.qualities.config(layer, media);
      },
      lead: (layer) => isMine() && this.qualities.lead(layer),
      audioTrack: (track, media) => {
        if (!isMine()) return;
        if ('payload' in media) this.audioTracks.frame(track, media);
        else this.audioTracks.config(track, media);
      },
      end: () => isMine() && this.#onEnd(),
    };
  }

  #onMetadata(gate: TrackGate, said: Readonly<Record<string, unknown>>): void {
    const values = withoutTrackMaps(said);
    this.#said = values;
    this.audioTracks.describe(readAudioFacts(said, this.publisher?.info.param ?? ''));
    gate.metadata(values);
    this.metadata = gate.isOpen ? withoutTracks(values, gate.missing) : values;
  }

  #onOpen(gate: TrackGate, first: readonly MediaFrame[]): readonly MediaFrame[] {
    for (const kind of gate.missing) this.#onMissing(kind);
    this.metadata = withoutTracks(this.#said, gate.missing);
    const isSeam = this.#timeline.join(first);
    if (isSeam) this.#onSeam();
    this.qualities.open();
    this.audioTracks.open();
    if (!isSeam) return first;
    // Packagers restart with a keyframe, and drop the audio before it.
    const video = first.find(({ kind }) => kind === 'video');
    return video ? [video, ...first.filter((frame) => frame !== video)] : first;
  }

  /** A track that this publisher announced, or the one before had, does not come. */
  #onMissing(kind: TrackConfig['kind']): void {
    if (!this[kind]) return;
    this[kind] = undefined;
    this.#packagers.missing(kind);
  }

  #onConfig(config: TrackConfig): void {
    const before = config.kind === 'video' ? this.video : this.audio;
    if (before && isSameDecoder(before, config)) return;
    // A track that was no longer expected.
    if (!before && this.#gate?.isOpen) this.metadata = withoutTracks(this.#said, this.#gate.missing);
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
    if (this.#timeline.isJump(frame) && this.#timeline.join([frame])) this.#onSeam();
    const placed = this.#timeline.place(frame);
    if (!placed) return;
    const mapped = inOwnMemory(placed);
    this.stats.count(mapped);
    if (mapped.kind === 'video') this.#order.observe(mapped);
    this.#cache.push(mapped);
    this.#packagers.frame(mapped);
    if (mapped.kind === 'video') this.qualities.leadFrame(mapped);
  }

  #onSeam(): void {
    this.#cache.clear();
    this.#order.seam();
    this.stats.seams += 1;
    this.#packagers.discontinuity();
    this.qualities.seam();
    this.audioTracks.seam();
  }

  #onEnd(): void {
    this.#gate?.open();
    this.#gate = undefined;
    this.publisher = undefined;
    this.publishedAt = undefined;
    this.#cache.clear();
    this.#packagers.leave();
    this.qualities.leave();
    this.audioTracks.leave();
    this.#options.onPublisher?.(this);
    this.#waitForPublisher();
  }

  #waitForPublisher(): void {
    this.#return = new IdleTimeout(this.#options.returnMs, () => this.close());
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#return?.end();
    this.#gate?.close();
    this.#packagers.close();
    this.qualities.close();
    this.audioTracks.close();
    this.subtitles.close();
    this.#options.onOver(this);
  }
}
