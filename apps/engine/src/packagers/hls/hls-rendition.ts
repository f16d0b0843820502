import type { MediaFrame, TrackConfig } from '@weir/media';
import type { Packager } from '../../hub/packager.ts';
import { QualityMerger } from '../../hub/qualities/quality-merger.ts';
import type { CutStep } from './cut-plan.ts';
import type { FollowingVariant } from './following-variant.ts';
import type { RenditionTrack } from './lead-track.ts';

const rememberedKeyframes = 16;
/** Tolerance for times of the same moment, which differ by rounding. */
const sameMs = 1;

/** A variant, and the merger that orders its frames. */
interface Follower {
  readonly variant: FollowingVariant;
  readonly merger: QualityMerger;
}

interface Options {
  readonly track: RenditionTrack;
  readonly kind: TrackConfig['kind'];
  /** True if its segments do not contain the audio of the stream. */
  readonly isAlone: boolean;
  readonly main: FollowingVariant;
  /** Audio of the stream. */
  readonly audio: TrackConfig | undefined;
}

/** HLS of one track. Its variants are cut where those of the lead are. Segments of a lower quality contain the stream's audio unless it is alone. */
export class HlsRendition implements Packager {
  readonly track: RenditionTrack;
  readonly isAlone: boolean;
  readonly kind: TrackConfig['kind'];
  readonly #main: Follower;
  #low: Follower | undefined;
  #config: TrackConfig | undefined;
  #audio: TrackConfig | undefined;
  #isOver = false;
  #newestMs = Number.NEGATIVE_INFINITY;
  readonly #keyframesMs: number[] = [];

  constructor({ track, kind, isAlone, main, audio }: Options) {
    this.track = track;
    this.kind = kind;
    this.isAlone = isAlone;
    this.#audio = isAlone ? undefined : audio;
    this.#main = this.#begin(main);
    track.attach(this);
    for (const frame of track.cached()) this.onFrame(frame);
  }

  get main(): FollowingVariant {
    return this.#main.variant;
  }

  get low(): FollowingVariant | undefined {
    return this.#low?.variant;
  }

  /** True once the publisher's track has ended for good. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Adds a low-latency variant. Called before the lead's first step, which begins with frames from the past. */
  startLow(low: FollowingVariant): void {
    this.#low = this.#begin(low);
    if (this.#config) low.onConfig(this.#config);
    for (const frame of this.track.cached()) this.#low.merger.own(frame);
  }

  stopLow(): void {
    this.#low?.variant.dispose();
    this.#low = undefined;
  }

  /** Repeats a step of the lead's variant at the time of its frame. */
  step(isLow: boolean, atMs: number, step: CutStep): void {
    const follower = isLow ? this.#low : this.#main;
    if (!follower) return;
    follower.merger.mark(atMs, () => follower.variant.step(step));
  }

  leadFrame(frame: MediaFrame): void {
    this.#lead(this.#main, frame);
    this.leadLowFrame(frame);
  }

  /** Handles an earlier frame, which only the new low-latency variant of the lead gets. */
  leadLowFrame(frame: MediaFrame): void {
    if (this.#low) this.#lead(this.#low, frame);
  }

  leadAudio(atMs: number, config: TrackConfig): void {
    if (this.isAlone) return;
    this.#audio = config;
    this.#each(({ variant, merger }) => merger.mark(atMs, () => variant.onConfig(config)));
  }

  /** Handles a discontinuity of the stream, which is one of this track too. */
  leadBreak(): void {
    this.#each(({ merger }) => merger.flush());
  }

  onConfig(config: TrackConfig): void {
    this.#config = config;
    this.#each(({ merger }) => merger.config(config));
  }

  /** False if a segment that begins at this time could not be decoded alone, because the track certainly has no keyframe there. */
  mayBeginAt(ms: number): boolean {
    if (this.kind === 'audio') return true;
    const isKnown = this.#newestMs > ms - sameMs && !this.track.isPaused;
    return !isKnown || this.#keyframesMs.some((keyframeMs) => Math.abs(keyframeMs - ms) < sameMs);
  }

  onFrame(frame: MediaFrame): void {
    this.#newestMs = frame.dtsMs;
    if (frame.isKeyframe) this.#keyframesMs.push(frame.dtsMs);
    if (this.#keyframesMs.length > rememberedKeyframes) this.#keyframesMs.shift();
    this.#each(({ merger }) => merger.own(frame));
  }

  onDiscontinuity(): void {
    this.#newestMs = Number.NEGATIVE_INFINITY;
    this.#keyframesMs.length = 0;
    // Segments end at the discontinuity of the lead, which is at the same place.
  }

  close(): void {
    this.#isOver = true;
  }

  dispose(): void {
    this.track.detach(this);
    this.stopLow();
    this.main.dispose();
  }

  #begin(variant: FollowingVariant): Follower {
    if (this.#audio) variant.onConfig(this.#audio);
    const merger = new QualityMerger({
      frame: (frame) => variant.onFrame(frame),
      config: (config) => variant.onConfig(config),
    });
    return { variant, merger };
  }

  #lead({ merger }: Follower, frame: MediaFrame): void {
    if (this.isAlone) merger.advance(frame.dtsMs);
    else merger.lead(frame);
  }

  #each(act: (follower: Follower) => void): void {
    act(this.#main);
    if (this.#low) act(this.#low);
  }
}
