import type { MediaFrame, VideoConfig } from '@weir/media';
import { qualityName } from '@weir/streams';
import { EarlyFrames } from '../tracks/early-frames.ts';
import { Quality } from './quality.ts';

/** Limit of layers per publisher. */
const mostQualities = 8;
/** Distance from the stream beyond which a frame belongs to another clock. */
const mostApartMs = 5000;
/** Silence after which a quality is over, because its publisher left or stopped sending it. */
const overMs = 60_000;

/** First layer number for qualities that are encoded here; the number of lines is added. */
const firstMade = 1000;

/** Stream to which the qualities belong. */
interface Lead {
  readonly streamVideo: () => VideoConfig | undefined;
  /** Newest time of the stream. */
  readonly newestMs: () => number;
  /** Converts a frame to the clock of the stream. */
  readonly place: (frame: MediaFrame) => MediaFrame;
  readonly fault: (error: unknown) => void;
}

/**
 * Lower qualities of one stream: its publisher sends the same pictures in several sizes, or a ladder makes them. The best one is the stream
 * itself, the lead. Nothing is allocated for a stream with one quality.
 */
export class Qualities {
  /** True if audio alone is offered below the lowest quality. */
  hasAudioOnly = false;
  readonly #stream: Lead;
  #byName: Map<string, Quality> | undefined;
  #byLayer: Map<number, Quality> | undefined;
  #configs: Map<number, VideoConfig> | undefined;
  /** Layer whose frames are the stream's own. */
  #leading: number | undefined;
  readonly #early = new EarlyFrames();
  #isOpen = false;

  constructor(stream: Lead) {
    this.#stream = stream;
  }

  /** All qualities including paused ones, best first. */
  get all(): readonly Quality[] {
    if (!this.#byName || this.#byName.size === 0) return [];
    return [...this.#byName.values()].toSorted((a, b) => pixels(b.video) - pixels(a.video) || b.kbps - a.kbps);
  }

  /** Qualities that a viewer can choose now: active, and smaller than the stream itself. */
  get offered(): readonly Quality[] {
    if (!this.#byName) return [];
    const lead = this.#byLayer?.get(this.#leading ?? -1);
    return this.all.filter((quality) => quality !== lead && !quality.isPaused);
  }

  /** Names of all qualities that a viewer may choose, best first; empty if there is only one. */
  get names(): readonly string[] {
    const { offered, leadName } = this;
    return offered.length === 0 || leadName === undefined ? [] : [leadName, ...offered.map(({ name }) => name)];
  }

  /** Name of the stream's own quality; undefined without video. */
  get leadName(): string | undefined {
    const video = this.#stream.streamVideo();
    return video && qualityName(video);
  }

  /**
   * Quality with this name. If there is none, the next smaller one, because sizes of encoders differ. Undefined for the stream itself, which
   * also stands in for unknown names.
   */
  choose(name: string | undefined): Quality | undefined {
    const offered = name === undefined ? [] : this.offered;
    if (name === undefined || offered.length === 0 || name === this.leadName) return undefined;
    const lines = Number.parseInt(name, 10);
    const isSmaller = (other: string | undefined) => Number.parseInt(other ?? '', 10) <= lines;
    if (isSmaller(this.leadName)) return undefined;
    return (
      offered.find((quality) => quality.name === name) ??
      offered.find((quality) => isSmaller(quality.name)) ??
      offered.at(-1)
    );
  }

  config(layer: number, config: VideoConfig): void {
    this.#configs ??= new Map();
    if (this.#configs.size >= mostQualities && !this.#configs.has(layer)) return;
    this.#configs.set(layer, config);
    this.#byLayer?.get(layer)?.config(config);
  }

  /** Adds a frame of a layer with the time that the publisher gave it. */
  frame(layer: number, frame: MediaFrame): void {
    if (!this.#isOpen) {
      this.#early.hold(layer, frame);
      return;
    }
    const placed = this.#stream.place(frame);
    if (Math.abs(placed.dtsMs - this.#stream.newestMs()) > mostApartMs) return;
    this.#qualityOf(layer)?.frame(placed);
  }

  /** True if the publisher sends several qualities. */
  get hasLayers(): boolean {
    for (const layer of this.#configs?.keys() ?? []) if (layer < firstMade) return true;
    return false;
  }

  /** Quality with this many lines that is encoded here. */
  made(lines: number): Quality | undefined {
    return this.#byLayer?.get(firstMade + lines);
  }

  madeConfig(lines: number, config: VideoConfig): void {
    this.config(firstMade + lines, config);
  }

  /** Adds a frame of a quality that is encoded here. Its times are on the clock of the stream. */
  madeFrame(lines: number, frame: MediaFrame): void {
    if (!this.#isOpen || Math.abs(frame.dtsMs - this.#stream.newestMs()) > mostApartMs) return;
    this.#qualityOf(firstMade + lines)?.frame(frame);
  }

  /** Makes a layer the lead: its frames are those of the stream from now on. */
  lead(layer: number): void {
    this.#leading = layer;
  }

  /** Passes a frame of the stream to the viewers of the quality that has become the lead. */
  leadFrame(frame: MediaFrame): void {
    const quality = this.#leading === undefined ? undefined : this.#byLayer?.get(this.#leading);
    if (!quality) return;
    const video = this.#stream.streamVideo();
    if (video) quality.config(video);
    quality.frame(frame);
  }

  /** Called when the stream has begun, so that its clock is known. */
  open(): void {
    this.#isOpen = true;
    for (const { track, frame } of this.#early.take()) this.frame(track, frame);
  }

  seam(): void {
    if (this.#byName) for (const quality of this.#byName.values()) quality.discontinuity();
  }

  /** Called when the publisher left. Qualities continue if the next publisher has them too. */
  leave(): void {
    this.#isOpen = false;
    this.#leading = undefined;
    this.#configs = undefined;
    this.#byLayer = undefined;
    this.#early.take();
    this.seam();
  }

  /** Ends qualities that were silent for long. Called once in a while. */
  sweep(): void {
    if (!this.#byName) return;
    for (const [name, quality] of this.#byName) {
      if (quality.silentMs < overMs) continue;
      this.#byName.delete(name);
      for (const [layer, other] of this.#byLayer ?? []) if (other === quality) this.#byLayer?.delete(layer);
      quality.close();
    }
  }

  close(): void {
    for (const quality of this.#byName?.values() ?? []) quality.close();
    this.#byName = undefined;
    this.#byLayer = undefined;
    this.#early.take();
  }

  /** Quality of a layer, created with its first frame; undefined without a config. */
  #qualityOf(layer: number): Quality | undefined {
    const known = this.#byLayer?.get(layer);
    if (known) return known;
    const config = this.#configs?.get(layer);
    if (!config) return undefined;
    const name = this.#freeName(qualityName(config));
    if (!this.#byName?.has(name)) this.#makeRoom();
    const quality = this.#byName?.get(name) ?? new Quality(name, config, (error) => this.#stream.fault(error));
    quality.config(config);
    this.#byName = (this.#byName ?? new Map()).set(name, quality);
    this.#byLayer = (this.#byLayer ?? new Map()).set(layer, quality);
    return quality;
  }

  /** Limits what a publisher leaves behind that returns again and again with other sizes. */
  #makeRoom(): void {
    if (!this.#byName || this.#byName.size < mostQualities) return;
    const used = new Set(this.#byLayer?.values());
    for (const [name, quality] of this.#byName) {
      if (used.has(quality)) continue;
      this.#byName.delete(name);
      quality.close();
      return;
    }
  }

  /** True for a name that no layer and not the stream itself has. Names of former publishers are free. */
  #freeName(wanted: string): string {
    const taken = new Set([this.leadName, ...[...(this.#byLayer?.values() ?? [])].map(({ name }) => name)]);
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
    return name;
  }
}

function pixels({ width, height }: VideoConfig): number {
  return width * height;
}
