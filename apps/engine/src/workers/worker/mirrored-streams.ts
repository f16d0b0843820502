import type { MediaFrame, TrackConfig } from '@weir/media';
import { GopCache } from '../../hub/gop-cache.ts';
import { inOwnMemory } from '../../hub/own-memory.ts';
import type { Packager } from '../../hub/packager.ts';
import { Packagers } from '../../hub/packagers.ts';
import type { FrameSource } from '../../hub/stream.ts';
import { readConfig, type WorkerMessage } from '../link/link-message.ts';
import type { EngineNote } from '../link/notes.ts';

/** A stream of the engine as a worker sees it: packagers attach to it as they would there. */
export class MirroredStream implements FrameSource {
  /** Key of the publisher that sends a keyframe on request; empty for none. */
  publisher: string;
  readonly #packagers: Packagers;
  readonly #cache = new GopCache();
  #video: TrackConfig | undefined;
  #audio: TrackConfig | undefined;
  #isOver = false;

  constructor(publisher: string, onFault: (error: unknown) => void) {
    this.publisher = publisher;
    this.#packagers = new Packagers(onFault);
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
        this.#streams.set(note.feed, new MirroredStream(note.publisher, this.#onFault));
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
        this.#streams.delete(note.feed);
        return true;
      default:
        return false;
    }
  }
}
