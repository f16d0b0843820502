import { randomUUID } from 'node:crypto';
import type { MediaFrame } from '@weir/media';
import { keyframeToleranceMs } from './target-duration.ts';

/** Encoders insert extra keyframes where the scene changes: the longest of so many groups is what they are set to. */
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

  /** The next frame does not continue the group; its lengths are most likely the same. */
  breakOff(): void {
    this.#keyframeMs = undefined;
  }
}

export interface SegmenterRules {
  readonly fragmentMs: number;
  /** At which a segment ends without a keyframe. */
  readonly limitMs: number;
  /** True if playlists promise the limit: a gap beyond it is a break. */
  readonly isPromised: boolean;
  readonly maxBytes: number;
}

/** Beginning of a segment. */
export interface Cut {
  /** Id of the segment, the same in every variant. */
  readonly id: string;
  /** The frame it begins with. */
  readonly kind: MediaFrame['kind'];
  readonly dtsMs: number;
  /** Does not continue the segment before it. */
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
  /** The open segment is over; the next frame opens one as at the beginning. */
  restart(): void;
}

/**
 * Decision for a frame: it joins the open segment (or opens the first); a new segment starts with it; the same with a
 * discontinuity; it belongs to no segment.
 */
export type Decision = 'join' | 'cut' | 'break' | 'drop';

/** Sound and pictures may arrive this far apart and still be one timeline. */
const maxStepBackMs = 3000;
const maxStepBackWithinTrackMs = 1000;
const maxStepForwardMs = 10_000;
/** Pictures that are this much later than usual have stopped. */
const videoLostMs = 400;
/** A frame lasts as long as the one before it, up to this where sound tells the time as well. */
const longestStepMs = 1000;
/** Share of the fragment before which no segment ends for the sake of a group of pictures that is cut anyway. */
const shortestShare = 0.25;
/** Frames of the old timeline that may arrive after the first of the new one. */
const maxStragglers = 50;

/** Decides where segments begin. Knows times and keyframes, nothing of bytes or files. */
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
   * Rules are asked for at every frame, so that a change takes effect at the next cut. `announcesVideo`: whether the
   * publisher says that pictures will come, before there is one. `onCut` is called before the decision is returned, and
   * with undefined when the open segment ends and no frame follows. `mayCutAt`: false for a keyframe that other qualities do not have.
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
      // No waiting for a keyframe here: the sound of a whole group of pictures would be lost with it.
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

  /** Sound may be ahead of its pictures: it ends segments only where there are none, or none come any more. */
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
