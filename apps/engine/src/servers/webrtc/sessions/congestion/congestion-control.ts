import type { LineFigures } from './delay-trend.ts';

/** Limits of the queue before the line and of its growth. A line that carries the stream exceeds them only for a moment. */
const queueLimitMs = 100;
const longQueueMs = 250;
const growthLimitMs = 15;
/** Time for which a queue lasts, or number of successive increases, from which the line counts as full. A longer route increases the delay only once. */
const standsForMs = 500;
const risesInRow = 4;
const riseMs = 5;
/** Share of lost packets, beside a queue, from which the line counts as full: at once, or after `standsForMs`. */
const fullShare = { atOnce: 0.25, standing: 0.15 } as const;
const fullQueueMs = 50;
/** Share of lost packets without a queue that retransmission cannot repair. */
const hopelessShare = 0.35;
const hopelessForMs = 1000;
/** Delay below which there is no queue, and, while only keyframes are sent, `busyMs` above which there is one. */
const calmMs = 40;
const busyMs = 80;
const tryLimitMs = 60;
const busyShare = 0.1;
/** Share of the received rate for video while there is a queue. The rest is for audio, and drains the queue. */
const paceShare = 0.75;
const mostLessFactor = 0.7;
const leastKbps = 40;
const mostSilentMs = 1500;
const settleMs = 200;
/** Pause before the next probe: at first, and at most. */
const holdMs = { first: 1500, most: 32_000 } as const;
/** Rate of a probe relative to the received rate, its length, and the share of its packets that must arrive. */
const tryFactor = 1.35;
const tryMs = 300;
const arrivedShare = 0.8;
/** Factor by which the line must exceed the bitrate of the stream. */
const roomFactor = 1.15;
/** Time after a resumption in which congestion counts as its failure, so that the next probe comes later. */
const relapseMs = 10_000;

/**
 * Judges whether a viewer's line carries the stream. If not, the viewer gets keyframes at a rate that fits, so that audio on the same line is
 * not delayed. After a pause, probes raise the rate in small steps until the line carries the complete stream.
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

  /** True while only keyframes are sent. */
  get isThin(): boolean {
    return this.#isThin;
  }

  /** True if the line carries the complete stream again, which resumes at the next keyframe. */
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

  /** `explainedMs`: part of the queue that the last keyframe explains. `videoKbps`: bitrate of the stream. */
  onFigures(figures: LineFigures, explainedMs: number, videoKbps: number, nowMs: number): void {
    if (this.#isThin) this.#watchThin(figures, videoKbps, nowMs);
    else if (this.#isCongested(figures, explainedMs, nowMs)) this.#enter(figures, nowMs);
  }

  /** Starts a probe if the line was calm for long enough. */
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
