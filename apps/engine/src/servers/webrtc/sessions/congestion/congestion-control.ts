import type { LineFigures } from './delay-trend.ts';

/** A line that carries the stream has no such queue, but for a moment. */
const queueLimitMs = 100;
const longQueueMs = 250;
const growthLimitMs = 15;
/** A queue stands for this long, or became longer so many times in a row: a way that is longer from now on is so once. */
const standsForMs = 500;
const risesInRow = 4;
const riseMs = 5;
/** Lost while a queue stands, at once or for as long as that: it is full. */
const fullShare = { atOnce: 0.25, standing: 0.15 } as const;
const fullQueueMs = 50;
/** Lost without a queue: more than repair can make good. */
const hopelessShare = 0.35;
const hopelessForMs = 1000;
/** Below this there is no queue, and above `busyMs` there is one, with keyframes only. */
const calmMs = 40;
const busyMs = 80;
const tryLimitMs = 60;
const busyShare = 0.1;
/** Share of the received rate while a queue stood: the rest goes to audio and drains the queue. */
const paceShare = 0.75;
const mostLessFactor = 0.7;
const leastKbps = 40;
const mostSilentMs = 1500;
const settleMs = 200;
/** Pause before more is tried, first and at most. */
const holdMs = { first: 1500, most: 32_000 } as const;
/** A try is so much more than what went through, for so long; what was sent must have arrived by then. */
const tryFactor = 1.35;
const tryMs = 300;
const arrivedShare = 0.8;
/** Factor by which the line must exceed the bitrate of the stream. */
const roomFactor = 1.15;
/** Congested again within this: the next try comes later. */
const relapseMs = 10_000;

/**
 * Judges whether a viewer's line carries the stream. When it does not, video is reduced to keyframes at a pace that fits, and
 * after a while more is tried in small steps, so that audio on the same line is not held up, until there is room for everything.
 */
export class CongestionControl {
  #isThin = false;
  #hasRoom = false;
  #paceKbps = 0;
  #tryKbps = 0;
  #tryStartedMs = 0;
  #calmSinceMs = 0;
  #silentUntilMs = 0;
  #holdMs: number = holdMs.first;
  #wholeSinceMs = Number.NEGATIVE_INFINITY;
  #fullSinceMs: number | undefined;
  #standsSinceMs: number | undefined;
  #queueMs = 0;
  #rises = 0;
  #losesSinceMs: number | undefined;

  /** Only keyframes are sent. */
  get isThin(): boolean {
    return this.#isThin;
  }

  /** The line would carry all of the stream again: go on with the next keyframe. */
  get hasRoom(): boolean {
    return this.#hasRoom;
  }

  /** True during a probe, in which extra packets show what the line carries. */
  get isTrying(): boolean {
    return this.#tryKbps > 0;
  }

  /** Rate for video while only keyframes are sent. */
  paceKbps(nowMs: number): number {
    if (nowMs < this.#silentUntilMs) return 0;
    return Math.max(this.#paceKbps, this.#tryKbps);
  }

  /** `explainedMs`: of the queue, what the last keyframe makes up. `videoKbps`: what the stream has. */
  onFigures(figures: LineFigures, explainedMs: number, videoKbps: number, nowMs: number): void {
    if (this.#isThin) this.#watchThin(figures, videoKbps, nowMs);
    else if (this.#isCongested(figures, explainedMs, nowMs)) this.#enter(figures, nowMs);
  }

  /** Begins to try more when the line was left in peace for long enough. */
  poll(videoKbps: number, nowMs: number): void {
    if (!this.#isThin || this.#hasRoom || this.isTrying || nowMs - this.#calmSinceMs < this.#holdMs) return;
    this.#try(this.#paceKbps * tryFactor, videoKbps, nowMs);
  }

  /** Resumes the complete stream. */
  leave(nowMs: number): void {
    this.#isThin = false;
    this.#hasRoom = false;
    this.#wholeSinceMs = nowMs;
    this.#fullSinceMs = undefined;
    this.#standsSinceMs = undefined;
    this.#losesSinceMs = undefined;
  }

  #isCongested({ queueMs, growthMs, lostShare }: LineFigures, explainedMs: number, nowMs: number): boolean {
    const waits = queueMs - explainedMs > queueLimitMs;
    const stands = waits && (growthMs - explainedMs > growthLimitMs || queueMs - explainedMs > longQueueMs);
    this.#standsSinceMs = stands ? (this.#standsSinceMs ?? nowMs) : undefined;
    this.#rises = queueMs > this.#queueMs + riseMs ? this.#rises + 1 : 0;
    this.#queueMs = queueMs;
    this.#losesSinceMs = lostShare > hopelessShare ? (this.#losesSinceMs ?? nowMs) : undefined;
    const isFull = queueMs - explainedMs > fullQueueMs && lostShare > fullShare.standing;
    this.#fullSinceMs = isFull ? (this.#fullSinceMs ?? nowMs) : undefined;
    if (isFull && lostShare > fullShare.atOnce) return true;
    if (this.#fullSinceMs !== undefined && nowMs - this.#fullSinceMs >= standsForMs) return true;
    if (waits && this.#rises >= risesInRow) return true;
    if (this.#standsSinceMs !== undefined && nowMs - this.#standsSinceMs >= standsForMs) return true;
    return this.#losesSinceMs !== undefined && nowMs - this.#losesSinceMs >= hopelessForMs;
  }

  #enter({ queueMs, receivedKbps }: LineFigures, nowMs: number): void {
    this.#holdMs = nowMs - this.#wholeSinceMs < relapseMs ? Math.min(this.#holdMs * 2, holdMs.most) : holdMs.first;
    this.#isThin = true;
    this.#hasRoom = false;
    this.#tryKbps = 0;
    this.#paceKbps = Math.max(leastKbps, receivedKbps * paceShare);
    this.#calmSinceMs = nowMs;
    this.#fallSilent(queueMs, nowMs);
  }

  #watchThin({ queueMs, receivedKbps, lostShare }: LineFigures, videoKbps: number, nowMs: number): void {
    if (nowMs < this.#silentUntilMs + settleMs) return;
    if (queueMs > (this.isTrying ? tryLimitMs : busyMs) || lostShare > busyShare)
      this.#giveWay(queueMs, receivedKbps, nowMs);
    else if (this.isTrying && nowMs - this.#tryStartedMs >= tryMs) {
      if (receivedKbps >= arrivedShare * this.#tryKbps && queueMs < calmMs) this.#onPassed(videoKbps, nowMs);
      else if (nowMs - this.#tryStartedMs > 4 * tryMs) this.#giveUp(nowMs);
    }
  }

  #giveWay(queueMs: number, receivedKbps: number, nowMs: number): void {
    if (this.isTrying || this.#hasRoom) this.#giveUp(nowMs);
    this.#calmSinceMs = nowMs;
    // The received rate shows the capacity only as far as packets were sent.
    const lowerKbps = Math.max(this.#paceKbps * mostLessFactor, receivedKbps * paceShare);
    this.#paceKbps = Math.max(leastKbps, Math.min(this.#paceKbps, lowerKbps));
    this.#fallSilent(queueMs, nowMs);
  }

  /** Queued packets drain first, beside the audio. Feedback until then is about earlier packets. */
  #fallSilent(queueMs: number, nowMs: number): void {
    this.#silentUntilMs = nowMs + Math.min(queueMs * 1.5, mostSilentMs);
  }

  #giveUp(nowMs: number): void {
    this.#hasRoom = false;
    this.#tryKbps = 0;
    this.#calmSinceMs = nowMs;
    this.#holdMs = Math.min(this.#holdMs * 1.5, holdMs.most);
  }

  #onPassed(videoKbps: number, nowMs: number): void {
    this.#paceKbps = this.#tryKbps;
    if (this.#tryKbps < videoKbps * roomFactor) this.#try(this.#tryKbps * tryFactor, videoKbps, nowMs);
    else {
      this.#tryKbps = 0;
      this.#hasRoom = true;
    }
  }

  #try(kbps: number, videoKbps: number, nowMs: number): void {
    this.#tryKbps = Math.max(leastKbps, Math.min(kbps, videoKbps * roomFactor));
    this.#tryStartedMs = nowMs;
  }
}
