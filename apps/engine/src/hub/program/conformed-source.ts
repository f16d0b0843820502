import { type AudioConfig, isSameDecoder, type MediaFrame, type TrackConfig, type VideoConfig } from '@weir/media';
import { GopCache } from '../gop-cache.ts';
import type { Packager } from '../packager.ts';
import { Conversion, type ConversionContext } from '../player-views/conversion.ts';
import { Interleaver } from '../player-views/interleaver.ts';
import { conformArgs, isOfForm } from './conform-args.ts';
import type { InputSource, Tracks } from './program-input.ts';

/**
 * A starved encoder is late, and everything of its input waits for it: with the other track ahead of it the input would look broken.
 * Starting another one would only take longer.
 */
const mostLateMs = 20_000;
/** Audio has as many frames. */
const mostFps = 50;

interface Both<T> {
  video: T | undefined;
  audio: T | undefined;
}

/**
 * An input in the form of another one. Tracks that have it pass as they are; others go through an encoder, for as long as the input is
 * attached. One that cannot be encoded passes as it is: something else is better than nothing.
 */
export class ConformedSource implements InputSource, Packager {
  readonly #source: InputSource;
  readonly #context: ConversionContext;
  readonly #cache = new GopCache();
  #interleaver: Interleaver;
  readonly #conversions: Both<Conversion> = { video: undefined, audio: undefined };
  /** Forms that an encoder failed for. */
  readonly #failed: Both<TrackConfig> = { video: undefined, audio: undefined };
  readonly #configs: Both<TrackConfig> = { video: undefined, audio: undefined };
  readonly #announced: Both<TrackConfig> = { video: undefined, audio: undefined };
  #form: Tracks = {};
  #packager: Packager | undefined;
  #isSeam = false;
  /** Converted frames from before it come too late. */
  #seamMs = Number.NEGATIVE_INFINITY;

  constructor(source: InputSource, context: ConversionContext) {
    this.#source = source;
    this.#context = {
      ...context,
      limits: { ...context.limits, stallMs: Math.max(context.limits.stallMs, mostLateMs) },
    };
    this.#interleaver = this.#interleaverFor(undefined);
  }

  get place() {
    return this.#source.place;
  }

  get isLive(): boolean {
    return this.#source.isLive;
  }

  get metadata() {
    return this.#source.metadata;
  }

  get video(): VideoConfig | undefined {
    return this.#source.video;
  }

  get audio(): AudioConfig | undefined {
    return this.#source.audio;
  }

  get isConformed(): boolean {
    return this.#conversions.video !== undefined || this.#conversions.audio !== undefined;
  }

  /** The form that others have; tracks that it does not name pass as they are. */
  conform(form: Tracks): void {
    for (const kind of ['video', 'audio'] as const) {
      const before = this.#form[kind];
      const next = form[kind];
      this.#form = { ...this.#form, [kind]: next };
      if (before !== next && !(before && next && isOfForm(before, next))) this.#plan(kind);
    }
  }

  cached(): readonly MediaFrame[] {
    if (!this.isConformed) return this.#source.cached();
    return [...this.#cache.frames].sort((a, b) => a.dtsMs - b.dtsMs);
  }

  attach(packager: Packager): void {
    this.#packager = packager;
    this.#source.attach(this);
  }

  detach(): void {
    this.#source.detach(this);
    this.#release();
  }

  onConfig({ kind }: TrackConfig): void {
    this.#plan(kind);
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    this.#plan(kind);
    this.#configs[kind] = undefined;
    this.#announced[kind] = undefined;
    this.#packager?.onTrackMissing?.(kind);
  }

  onFrame(frame: MediaFrame): void {
    if (this.#isSeam) this.#seamMs = frame.dtsMs;
    this.#isSeam = false;
    const failure = this.#conversions[frame.kind]?.failure ?? '';
    if (failure !== '') this.#giveUp(frame.kind, failure);
    const conversion = this.#conversions[frame.kind];
    if (conversion) {
      if (frame.kind === 'video' || !this.#conversions.video) this.#interleaver.expect();
      conversion.feed(frame);
    } else if (this.isConformed) {
      this.#interleaver.hold(frame);
    } else {
      this.#deliver(frame);
    }
  }

  onDiscontinuity(): void {
    this.#interleaver.flush();
    this.#cache.clear();
    this.#isSeam = true;
    this.#packager?.onDiscontinuity();
  }

  /** Encoders go on: one for pictures takes long to start, and the publisher may return. */
  onLeave(): void {
    this.#interleaver.flush();
    this.#cache.clear();
    this.#packager?.onLeave?.();
  }

  close(): void {
    this.#release();
    this.#packager?.close();
  }

  #plan(kind: TrackConfig['kind']): void {
    if (!this.#packager) return;
    this.#interleaver.flush();
    const source = this.#source[kind];
    const form = this.#form[kind];
    const was = this.#conversions[kind];
    const isKnown = this.#announced[kind] !== undefined;
    was?.close();
    this.#conversions[kind] = undefined;
    const args = source && form && !isOfForm(source, form) ? conformArgs(form) : undefined;
    if (source && args && this.#failed[kind] !== form) {
      this.#configs[kind] = undefined;
      this.#announced[kind] = undefined;
      this.#conversions[kind] = new Conversion(
        {
          source,
          args: () => args,
          recent: () => (kind === 'video' ? this.#source.cached().filter((frame) => frame.kind === 'video') : []),
          mostLateMs: Number.POSITIVE_INFINITY,
          // Frames left out here would be a hole in the stream.
          mostFramesInside: (mostLateMs * mostFps) / 1000,
          onConfig: (config) => this.#say(config),
          onFrame: (frame) => this.#onConverted(frame),
        },
        this.#context,
      );
    }
    if (was || this.#conversions[kind]) {
      this.#interleaver.close();
      this.#interleaver = this.#interleaverFor(this.#conversions.video);
    }
    // An encoder takes its time, so frames come at other moments than before.
    if (isKnown && (was !== undefined) !== (this.#conversions[kind] !== undefined)) this.onDiscontinuity();
    if (source && !this.#conversions[kind]) this.#say(source);
  }

  #giveUp(kind: TrackConfig['kind'], failure: string): void {
    this.#context.log.warn({ track: kind, reason: failure }, 'an input is not re-encoded, it passes as it is');
    this.#failed[kind] = this.#form[kind];
    this.#plan(kind);
  }

  /** Not even audio is announced before the first converted picture: without it the input would look like one without video. */
  #say(config: TrackConfig): void {
    this.#configs[config.kind] = config;
    if (this.#conversions.video && !this.#configs.video) return;
    for (const kind of ['video', 'audio'] as const) {
      const known = this.#configs[kind];
      const before = this.#announced[kind];
      if (!known || (before && isSameDecoder(before, known))) continue;
      this.#announced[kind] = known;
      this.#packager?.onConfig(known);
    }
  }

  #onConverted(frame: MediaFrame): void {
    if (frame.dtsMs < this.#seamMs || this.#isSeam || !this.#source.isLive) return;
    if (frame.kind === 'audio' && this.#conversions.video) this.#interleaver.hold(frame);
    else this.#interleaver.converted(frame);
  }

  #interleaverFor(video: Conversion | undefined): Interleaver {
    const { limits } = this.#context;
    // The encoder that made the source may lack CPU time as well, with pictures that are still to come out.
    const patience = video ? { holdMs: mostLateMs, silentMs: mostLateMs } : {};
    return new Interleaver((frame) => this.#deliver(frame), { ...limits, ...patience });
  }

  #deliver(frame: MediaFrame): void {
    if (!this.#announced[frame.kind]) return;
    if (this.isConformed) this.#cache.push(frame);
    this.#packager?.onFrame(frame);
  }

  #release(): void {
    this.#interleaver.close();
    for (const kind of ['video', 'audio'] as const) {
      this.#conversions[kind]?.close();
      this.#conversions[kind] = undefined;
      this.#configs[kind] = undefined;
      this.#announced[kind] = undefined;
    }
    this.#cache.clear();
  }
}
