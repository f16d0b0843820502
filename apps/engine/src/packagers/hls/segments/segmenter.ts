import { randomUUID } from 'node:crypto';
import type { MediaFrame } from '@weir/media';
import { keyframeToleranceMs } from './target-duration.ts';

/** Number of groups of which the longest shows the encoder's setting. Others end earlier, at keyframes for scene changes. */
const remembered = 8;

/** Lengths of the latest groups of pictures, from keyframe to keyframe. */
class GroupLengths {
  readonly #lengthsMs: number[] = [];
  #keyframeMs: number | undefined;
  #longestEverMs: number | undefined;

  /** Undefined until a group is complete. */
  get longestMs(): number | undefined {
    return this.#lengthsMs.length === 0 ? undefined : Math.max(...this.#lengthsMs);
  }

  /** Longest of all groups since the beginning. */
  get longestEverMs(): number | undefined {
    return this.#longestEverMs;
  }

  push({ kind, isKeyframe, dtsMs }: MediaFrame): void {
    if (kind !== 'video' || !isKeyframe) return;
    if (this.#keyframeMs !== undefined && dtsMs > this.#keyframeMs) this.#add(dtsMs - this.#keyframeMs);
    this.#keyframeMs = dtsMs;
  }

  #add(lengthMs: number): void {
    this.#lengthsMs.push(lengthMs);
    if (this.#lengthsMs.length > remembered) this.#lengthsMs.shift();
    this.#longestEverMs = Math.max(this.#longestEverMs ?? 0, lengthMs);
  }

  /** Called at a discontinuity. Known lengths stay, because later groups most likely have the same. */
  breakOff(): void {
    this.#keyframeMs = undefined;
  }
}

export interface SegmenterRules {
  readonly fragmentMs: number;
  /** Length at which a segment ends without a keyframe. */
  readonly limitMs: number;
  /** True if playlists promise the limit: a gap beyond it is a break. */
  readonly isPromised: boolean;
  readonly maxBytes: number;
}

/** Beginning of a segment. */
export interface Cut {
  /** Id of the segment, the same in every variant. */
  readonly id: string;
  /** First frame. */
  readonly kind: MediaFrame['kind'];
  readonly dtsMs: number;
  /** True if it does not continue the previous segment. */
  readonly isBreak: boolean;
}

/** Decides for each frame of a variant which segment it belongs to. */
export interface Cutter {
  /** Id of the open segment. */
  readonly id: string;
  /** Longest of the latest groups of pictures; undefined until one is complete. */
  readonly longestGroupMs: number | undefined;
  /** Longest of all groups of pictures so far. */
  readonly longestGroupEverMs: number | undefined;
  decide(frame: MediaFrame, openBytes: number): Decision;
  /** With announced video, the first segment waits for a keyframe, up to a limit. */
  expectVideo(isExpected?: boolean): void;
  /** Ends the open segment before the next frame. */
  requestCut(): void;
  /** Ends the open segment. The next frame opens one as at the start of the stream. */
  restart(): void;
}

/**
 * Decision for a frame: it joins the open segment (or opens the first); a new segment starts with it; the same with a
 * discontinuity; it belongs to no segment.
 */
export type Decision = 'join' | 'cut' | 'break' | 'drop';

/** Steps of timestamps, between tracks and within one, up to which frames belong to one timeline. */
const maxStepBackMs = 3000;
const maxStepBackWithinTrackMs = 1000;
const maxStepForwardMs = 10_000;
/** Delay beyond the usual one from which video counts as stopped. */
const videoLostMs = 400;
/** Longest duration of a frame, which is otherwise that of the previous frame, in streams with audio. */
const longestStepMs = 1000;
/** Least length of a segment, as a share of the fragment, that ends early to keep the next group of pictures whole. */
const shortestShare = 0.25;
/** Limit of frames of the old timeline that arrive after the first one of the new timeline. */
const maxStragglers = 50;

/** Decides where segments begin, by times and keyframes alone. */
export class Segmenter implements Cutter {
  readonly #rules: () => SegmenterRules;
  readonly #announcesVideo: () => boolean;
  readonly #onCut: (cut: Cut | undefined) => void;
  readonly #mayCutAt: (ms: number) => boolean;
  readonly #groups = new GroupLengths();
  #id = '';
  #expectsVideo = false;
  #openedAtMs: number | undefined;
  #hasVideo = false;
  #startsWithKeyframe = false;
  #isCutDue = false;
  #waitingSinceMs: number | undefined;
  #lastMs: number | undefined;
  #lastVideoMs: number | undefined;
  #lastAudioMs: number | undefined;
  /** Lead of audio at the latest video frame. */
  #audioLeadMs = 0;
  #formerMs: number | undefined;
  #stragglers = 0;

  /**
   * `rules` is called for every frame, so that a change takes effect at the next cut. `announcesVideo`: true if the publisher has announced
   * video. `onCut` is called before the decision is returned; without a cut if the open segment ends and no frame follows. `mayCutAt`: false
   * for a keyframe that other qualities do not have.
   */
  constructor(
    rules: () => SegmenterRules,
    announcesVideo: () => boolean = () => false,
    onCut: (cut: Cut | undefined) => void = () => undefined,
    mayCutAt: (ms: number) => boolean = () => true,
  ) {
    this.#mayCutAt = mayCutAt;
    this.#rules = rules;
    this.#announcesVideo = announcesVideo;
    this.#onCut = onCut;
  }

  get id(): string {
    return this.#id;
  }

  get longestGroupMs(): number | undefined {
    return this.#groups.longestMs;
  }

  get longestGroupEverMs(): number | undefined {
    return this.#groups.longestEverMs;
  }

  expectVideo(isExpected = true): void {
    this.#expectsVideo = isExpected;
  }

  requestCut(): void {
    this.#isCutDue = this.#openedAtMs !== undefined;
  }

  restart(): void {
    this.#onCut(undefined);
    this.#openedAtMs = undefined;
    this.#isCutDue = false;
    this.#waitingSinceMs = undefined;
    this.#forgetTimes();
    this.#groups.breakOff();
    this.#formerMs = undefined;
  }

  decide(frame: MediaFrame, openBytes: number): Decision {
    if (this.#isStraggler(frame)) return 'drop';
    if (this.#isJump(frame)) {
      this.#formerMs = this.#lastMs;
      this.#stragglers = 0;
      this.#forgetTimes();
      this.#groups.breakOff();
      this.#groups.push(frame);
      // Does not wait for a keyframe, because the audio of a whole group of pictures would be lost.
      if (this.#openedAtMs !== undefined) return this.#open(frame, 'break');
      this.#waitingSinceMs = undefined;
    }
    const stepMs = this.#stepOf(frame);
    this.#groups.push(frame);
    if (this.#openedAtMs === undefined) {
      this.#remember(frame);
      return this.#mayOpen(frame) ? this.#open(frame, 'join') : 'drop';
    }
    const elapsedMs = frame.dtsMs - this.#openedAtMs;
    const isHole = frame.dtsMs - (this.#lastMs ?? frame.dtsMs) > longestStepMs;
    const isDue = this.#isDue(frame, { elapsedMs, stepMs, openBytes });
    this.#remember(frame);
    if (isDue) {
      const { isPromised, limitMs } = this.#rules();
      return this.#open(frame, isPromised && isHole && elapsedMs > limitMs ? 'break' : 'cut');
    }
    this.#hasVideo ||= frame.kind === 'video';
    return 'join';
  }

  #mayOpen(frame: MediaFrame): boolean {
    if (frame.kind === 'video' && frame.isKeyframe) return true;
    if (!this.#expectsVideo && !this.#announcesVideo()) return true;
    this.#waitingSinceMs ??= frame.dtsMs;
    return frame.dtsMs - this.#waitingSinceMs >= this.#rules().fragmentMs;
  }

  #open(frame: MediaFrame, decision: Decision): Decision {
    this.#id = randomUUID();
    this.#onCut({ id: this.#id, kind: frame.kind, dtsMs: frame.dtsMs, isBreak: decision === 'break' });
    this.#openedAtMs = frame.dtsMs;
    this.#isCutDue = false;
    this.#hasVideo = frame.kind === 'video';
    this.#startsWithKeyframe = frame.kind === 'video' && frame.isKeyframe;
    this.#remember(frame);
    return decision;
  }

  #isDue(frame: MediaFrame, open: { elapsedMs: number; stepMs: number; openBytes: number }): boolean {
    const { fragmentMs, limitMs, maxBytes } = this.#rules();
    const { elapsedMs, stepMs, openBytes } = open;
    if (this.#isCutDue || openBytes >= maxBytes) return true;
    if (!this.#leads(frame)) return false;
    if (elapsedMs + stepMs > limitMs) return true;
    const isTime = elapsedMs >= fragmentMs - keyframeToleranceMs;
    if (frame.kind === 'audio') return isTime;
    if (!frame.isKeyframe || !this.#mayCutAt(frame.dtsMs)) return false;
    // After a cut in the middle of a group of pictures the next group gets a segment of its own: players can begin there.
    return isTime || !this.#startsWithKeyframe || this.#isLastInTime(elapsedMs, stepMs);
  }

  /** True if the next keyframe would come too late to end the segment. */
  #isLastInTime(elapsedMs: number, stepMs: number): boolean {
    const { fragmentMs, limitMs } = this.#rules();
    const groupMs = this.#groups.longestMs ?? 0;
    // A segment may be short where that saves the next group from being cut.
    const leastMs = groupMs + stepMs <= limitMs ? 0 : fragmentMs * shortestShare;
    return elapsedMs > leastMs && elapsedMs + groupMs + stepMs > limitMs;
  }

  /** True if this frame may end segments. Audio may not while there is video, because it may be ahead of the video. */
  #leads({ kind, dtsMs }: MediaFrame): boolean {
    if (kind === 'video' || !this.#hasVideo || this.#lastVideoMs === undefined) return true;
    return dtsMs - this.#lastVideoMs > this.#audioLeadMs + videoLostMs;
  }

  #stepOf({ kind, dtsMs }: MediaFrame): number {
    const lastMs = kind === 'video' ? this.#lastVideoMs : this.#lastAudioMs;
    const stepMs = lastMs === undefined ? 0 : Math.max(0, dtsMs - lastMs);
    return kind === 'video' && this.#lastAudioMs === undefined ? stepMs : Math.min(stepMs, longestStepMs);
  }

  #isJump({ kind, dtsMs }: MediaFrame): boolean {
    if (this.#lastMs === undefined) return false;
    const lastOfTrackMs = (kind === 'video' ? this.#lastVideoMs : this.#lastAudioMs) ?? dtsMs;
    return (
      dtsMs < this.#lastMs - maxStepBackMs ||
      dtsMs < lastOfTrackMs - maxStepBackWithinTrackMs ||
      dtsMs > this.#lastMs + maxStepForwardMs
    );
  }

  /** One track jumps before the other: its remaining old frames must not jump back and forth. */
  #isStraggler({ dtsMs }: MediaFrame): boolean {
    if (this.#formerMs === undefined || this.#lastMs === undefined) return false;
    this.#stragglers++;
    if (this.#stragglers > maxStragglers) this.#formerMs = undefined;
    else return Math.abs(dtsMs - this.#formerMs) <= maxStepBackMs && Math.abs(dtsMs - this.#lastMs) > maxStepBackMs;
    return false;
  }

  #remember({ kind, dtsMs }: MediaFrame): void {
    this.#lastMs = dtsMs;
    if (kind === 'video') {
      this.#lastVideoMs = dtsMs;
      this.#audioLeadMs = Math.max(0, (this.#lastAudioMs ?? dtsMs) - dtsMs);
    } else this.#lastAudioMs = dtsMs;
  }

  #forgetTimes(): void {
    this.#lastMs = undefined;
    this.#lastVideoMs = undefined;
    this.#lastAudioMs = undefined;
  }
}
