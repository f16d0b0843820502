import type { MediaFrame } from '@weir/media';

export interface SegmenterRules {
  readonly fragmentMs: number;
  /** Times the fragment after which a segment ends without a keyframe. */
  readonly overflowRatio: number;
  readonly maxBytes: number;
}

/**
 * What becomes of a frame: it joins the open segment (or opens the first); a new segment begins with it; the same, and
 * it does not continue what went before; it belongs to no segment.
 */
type Decision = 'join' | 'cut' | 'break' | 'drop';

/** Encoders round: a keyframe this little before its time still ends the segment, not the next one a GOP later. */
const toleranceMs = 50;
/** Sound and pictures may arrive this far apart and still be one timeline. */
const maxStepBackMs = 3000;
const maxStepBackWithinTrackMs = 1000;
const maxStepForwardMs = 10_000;
/** Frames of the old timeline that may arrive after the first of the new one. */
const maxStragglers = 50;

/** Decides where segments begin. Knows times and keyframes, nothing of bytes or files. */
export class Segmenter {
  readonly #rules: () => SegmenterRules;
  readonly #announcesVideo: () => boolean;
  #expectsVideo = false;
  #openedAtMs: number | undefined;
  #hasVideo = false;
  #startsWithKeyframe = false;
  #isCutDue = false;
  #waitingSinceMs: number | undefined;
  #lastMs: number | undefined;
  #lastVideoMs: number | undefined;
  #lastAudioMs: number | undefined;
  #formerMs: number | undefined;
  #stragglers = 0;

  /**
   * Rules are asked for at every frame, so that a change takes effect at the next cut. `announcesVideo`: whether the
   * publisher says that pictures will come, before there is one.
   */
  constructor(rules: () => SegmenterRules, announcesVideo: () => boolean = () => false) {
    this.#rules = rules;
    this.#announcesVideo = announcesVideo;
  }

  /** With video announced the first segment waits for a keyframe, though not for ever. */
  expectVideo(isExpected = true): void {
    this.#expectsVideo = isExpected;
  }

  /** The open segment ends before the next frame, whatever that is. */
  requestCut(): void {
    this.#isCutDue = this.#openedAtMs !== undefined;
  }

  /** The open segment is over; the next frame opens one as at the beginning. */
  restart(): void {
    this.#openedAtMs = undefined;
    this.#isCutDue = false;
    this.#waitingSinceMs = undefined;
    this.#forgetTimes();
    this.#formerMs = undefined;
  }

  decide(frame: MediaFrame, openBytes: number): Decision {
    if (this.#isStraggler(frame)) return 'drop';
    if (this.#isJump(frame)) {
      this.#formerMs = this.#lastMs;
      this.#stragglers = 0;
      this.#forgetTimes();
      // No waiting for a keyframe here: the sound of a whole group of pictures would be lost with it.
      if (this.#openedAtMs !== undefined) return this.#open(frame, 'break');
      this.#waitingSinceMs = undefined;
    }
    this.#remember(frame);
    if (this.#openedAtMs === undefined) return this.#mayOpen(frame) ? this.#open(frame, 'join') : 'drop';
    if (this.#isDue(frame, frame.dtsMs - this.#openedAtMs, openBytes)) return this.#open(frame, 'cut');
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
    this.#openedAtMs = frame.dtsMs;
    this.#isCutDue = false;
    this.#hasVideo = frame.kind === 'video';
    this.#startsWithKeyframe = frame.kind === 'video' && frame.isKeyframe;
    this.#remember(frame);
    return decision;
  }

  #isDue(frame: MediaFrame, elapsedMs: number, openBytes: number): boolean {
    const { fragmentMs, overflowRatio, maxBytes } = this.#rules();
    if (this.#isCutDue || openBytes >= maxBytes || elapsedMs >= fragmentMs * overflowRatio) return true;
    const isTime = elapsedMs >= fragmentMs - toleranceMs;
    if (frame.kind === 'audio') return isTime && !this.#hasVideo;
    // After a cut in the middle of a group of pictures the next group gets a segment of its own: players can begin there.
    return frame.isKeyframe && (isTime || !this.#startsWithKeyframe);
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

  /** One track jumps before the other does: what still comes of the old time must not jump back and forth. */
  #isStraggler({ dtsMs }: MediaFrame): boolean {
    if (this.#formerMs === undefined || this.#lastMs === undefined) return false;
    this.#stragglers++;
    if (this.#stragglers > maxStragglers) this.#formerMs = undefined;
    else return Math.abs(dtsMs - this.#formerMs) <= maxStepBackMs && Math.abs(dtsMs - this.#lastMs) > maxStepBackMs;
    return false;
  }

  #remember({ kind, dtsMs }: MediaFrame): void {
    this.#lastMs = dtsMs;
    if (kind === 'video') this.#lastVideoMs = dtsMs;
    else this.#lastAudioMs = dtsMs;
  }

  #forgetTimes(): void {
    this.#lastMs = undefined;
    this.#lastVideoMs = undefined;
    this.#lastAudioMs = undefined;
  }
}
