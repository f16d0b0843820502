import type { MediaFrame, TrackConfig } from '@weir/media';
import { GopCache } from '../../hub/gop-cache.ts';
import { inOwnMemory } from '../../hub/own-memory.ts';
import type { Packager } from '../../hub/packager.ts';
import { Packagers } from '../../hub/packagers.ts';
import { RateMeter } from '../../hub/rate-meter.ts';
import type { FrameSource } from '../../hub/stream.ts';
import { readConfig, type WorkerMessage } from '../link/link-message.ts';
import type { EngineNote } from '../link/notes.ts';

/** Averages a few groups of pictures. */
const rateSeconds = 8;

/** A stream of the engine as a worker sees it: packagers attach to it as they would there. */
export class MirroredStream implements FrameSource {
  /** Key of the publisher that sends a keyframe on request; empty for none. */
  publisher: string;
  /** Lower qualities by name. They have video only. */
  readonly lower = new Map<string, MirroredStream>();
  readonly #videoRate = new RateMeter();
  readonly #packagers: Packagers;
  readonly #cache = new GopCache();
  #video: TrackConfig | undefined;
  #audio: TrackConfig | undefined;
  #isOver = false;

  constructor(publisher: string, onFault: (error: unknown) => void) {
    this.publisher = publisher;
    this.#packagers = new Packagers(onFault);
  }

  get video(): TrackConfig | undefined {
    return this.#video;
  }

  /** Bitrate of the video over the last seconds. */
  get videoKbps(): number {
    return (this.#videoRate.perSecond(rateSeconds) * 8) / 1000;
  }

  /** Size of the frames since the last keyframe. */
  get groupBytes(): number {
    return this.#cache.bytes;
  }

  cached(): readonly MediaFrame[] {
    return this.#cache.frames;
  }

  attach(packager: Packager): void {
    if (this.#isOver) packager.close();
    else this.#packagers.add(packager, [this.#video, this.#audio]);
  }

  detach(packager: Packager): void {
    this.#packagers.remove(packager);
  }

  config(config: TrackConfig): void {
    if (config.kind === 'audio') {
      this.#audio = config;
    } else {
      // Frames of the old form cannot be decoded with the new one.
      this.#cache.clear();
      this.#video = config;
    }
    this.#packagers.config(config);
  }

  frame(received: MediaFrame): void {
    const frame = inOwnMemory(received);
    if (frame.kind === 'video') this.#videoRate.add(frame.payload.length);
    this.#cache.push(frame);
    this.#packagers.frame(frame);
  }

  seam(publisher: string): void {
    this.publisher = publisher;
    this.#cache.clear();
    this.#packagers.discontinuity();
  }

  close(): void {
    this.#isOver = true;
    this.#packagers.close();
  }
}

/** The streams that the engine feeds to this worker, by the numbers it gave them. */
export class MirroredStreams {
  readonly #streams = new Map<number, MirroredStream>();
  /** Feeds of lower qualities. */
  readonly #lower = new Map<number, { readonly of: number; readonly name: string }>();
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  get(feed: number): MirroredStream | undefined {
    return this.#streams.get(feed);
  }

  frame(feed: number, frame: MediaFrame): void {
    this.#streams.get(feed)?.frame(frame);
  }

  /** True if the message was about streams. */
  onNote(received: WorkerMessage): boolean {
    const note = received as EngineNote;
    switch (note.type) {
      case 'feed':
        this.#open(note);
        return true;
      case 'feed-config':
        this.#streams.get(note.feed)?.config(readConfig(note.config));
        return true;
      case 'feed-seam':
        this.#streams.get(note.feed)?.seam(note.publisher);
        return true;
      case 'feed-publisher': {
        const stream = this.#streams.get(note.feed);
        if (stream) stream.publisher = note.publisher;
        return true;
      }
      case 'feed-over':
        this.#streams.get(note.feed)?.close();
        return true;
      case 'feed-end':
        this.#end(note.feed);
        return true;
      default:
        return false;
    }
  }

  #open({ feed, publisher, lower }: EngineNote & { type: 'feed' }): void {
    const stream = new MirroredStream(publisher, this.#onFault);
    this.#streams.set(feed, stream);
    if (lower) this.#streams.get(lower.of)?.lower.set(lower.name, stream);
    if (lower) this.#lower.set(feed, lower);
  }

  #end(feed: number): void {
    const stream = this.#streams.get(feed);
    this.#streams.delete(feed);
    const lower = this.#lower.get(feed);
    this.#lower.delete(feed);
    if (!lower || !stream) return;
    const of = this.#streams.get(lower.of);
    if (of?.lower.get(lower.name) === stream) of.lower.delete(lower.name);
    // Viewers of a quality that paused go on with another.
    stream.close();
  }
}
