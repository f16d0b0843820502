import { announcedTracks, type MediaFrame, type TrackConfig } from '@weir/media';
import { IdleTimeout } from '@weir/plane';
import { memoryCost } from '../own-memory.ts';

type Kind = MediaFrame['kind'];

/** Longest wait of a publisher's first frames for an announced track. */
const longestWaitMs = 1000;
const mostHeldBytes = 8 * 1024 * 1024;

interface Sink {
  onConfig(config: TrackConfig): void;
  /** The tracks are known, or were waited for long enough. Tells in which order the first frames are passed on. */
  onOpen(first: readonly MediaFrame[]): readonly MediaFrame[];
  onFrame(frame: MediaFrame): void;
}

/**
 * Holds the first frames of a publisher until each track that it announced is there, so that headers, tables and
 * initialization segments name the tracks that really come. A track counts as there with its first frame: encoders
 * announce tracks, and even send their configs, that never have one.
 */
export class TrackGate {
  readonly #sink: Sink;
  readonly #seen = { video: false, audio: false };
  readonly #configs: { video?: TrackConfig; audio?: TrackConfig } = {};
  #announced = { video: false, audio: false };
  #held: MediaFrame[] = [];
  #heldBytes = 0;
  #patience: IdleTimeout | undefined;
  #isOpen = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Tracks without a frame until now. */
  get missing(): readonly Kind[] {
    return (['video', 'audio'] as const).filter((kind) => !this.#seen[kind]);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  metadata(values: Readonly<Record<string, unknown>>): void {
    this.#announced = announcedTracks(values);
  }

  config(config: TrackConfig): void {
    const { kind } = config;
    // Held frames belong to the previous config.
    if (this.#seen[kind]) this.open();
    this.#configs[kind] = config;
    if (!this.#isOpen || this.#seen[kind]) this.#sink.onConfig(config);
  }

  frame(frame: MediaFrame): void {
    const { kind } = frame;
    const config = this.#seen[kind] ? undefined : this.#configs[kind];
    this.#seen[kind] = true;
    if (this.#isOpen) {
      // A track that was no longer waited for.
      if (config) this.#sink.onConfig(config);
      this.#sink.onFrame(frame);
      return;
    }
    this.#held.push(frame);
    this.#heldBytes += memoryCost(frame);
    if (this.#heldBytes >= mostHeldBytes || this.#isComplete) this.open();
    else this.#patience ??= new IdleTimeout(longestWaitMs, () => this.open());
  }

  /** Waits no longer. */
  open(): void {
    this.#patience?.end();
    if (this.#isOpen) return;
    this.#isOpen = true;
    const held = this.#held;
    this.#held = [];
    if (held.length > 0) for (const frame of this.#sink.onOpen(held)) this.#sink.onFrame(frame);
  }

  close(): void {
    this.#patience?.end();
    this.#held = [];
    this.#isOpen = true;
  }

  get #isComplete(): boolean {
    return this.missing.every((kind) => !this.#announced[kind] && !this.#configs[kind]);
  }
}
