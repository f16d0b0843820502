import type { LineFigures } from '../congestion/delay-trend.ts';

/** Limit of the queue before the line. A line that carries its quality exceeds it only for a moment. */
const queueLimitMs = 100;
const longQueueMs = 250;
const growthLimitMs = 15;
const lossLimit = 0.1;
/** Consecutive reports; receivers send ten to twenty a second. */
const badInRow = 2;
/** Time after a change or a failed probe in which the queue is ignored: their own packets made it. */
const blindMs = 1000;
/** Time in which the queue that a better quality left drains beside the packets of a lower one. */
const settlingMs = 1500;
/** Share of the received rate that a quality may take while a queue exists. */
const fitting = 0.85;
/** Time in which the line must carry the cached group of pictures of a lower quality. */
const mostGroupMs = 150;
/** Queue and loss below which nothing is wrong with the line. */
const calm = { queueMs: 40, lostShare: 0.01 } as const;
/** Pause before the next probe: for a viewer that has just joined, for others at first, and at most after failures. */
const holdMs = { newcomer: 1000, first: 1500, most: 32_000 } as const;
const probeMs = 500;
/** Time after which probe packets have been reported. */
const settleMs = 150;
const probeFactor = 1.2;
const probeLoss = 0.05;
const arrivedShare = 0.9;
/** Time after a change up in which a change down counts as its failure, so that the next probe comes later. */
const relapseMs = 6000;

/** A quality that the viewer may get. */
export interface Rung {
  readonly kbps: number;
  /** Size of the newest group of pictures. */
  readonly groupBytes: number;
}

/** Change to lower qualities, as places in the list: one at once, from its cached group, and one at its next keyframe. */
interface StepDown {
  readonly atOnce: number;
  readonly later: number;
}

/**
 * Decides which quality a viewer's line carries, by the queue before the line, the growth of the queue, the received rate and the loss. Goes
 * down at once when the line is full. Goes up after a probe: repeated packets showed that the line carries more. Qualities are listed best
 * first.
 */
export class QualityChoice {
  #holdMs: number = holdMs.newcomer;
  #calmSinceMs: number;
  #changedMs: number;
  #upMs = Number.NEGATIVE_INFINITY;
  #bad = 0;
  #probe: { readonly endsMs: number; readonly kbps: number; readonly wantedKbps: number } | undefined;
  #mayGoUp = false;

  constructor(nowMs: number) {
    this.#calmSinceMs = nowMs;
    this.#changedMs = nowMs;
  }

  /** True after a successful probe: the viewer may get the next better quality from its next keyframe on. */
  get mayGoUp(): boolean {
    return this.#mayGoUp;
  }

  /** True while the queue may still be that of the previous quality. */
  isSettling(nowMs: number): boolean {
    return nowMs - this.#changedMs < settlingMs;
  }

  /** Total rate to send at during a probe; 0 without one. */
  probeKbps(nowMs: number): number {
    return this.#probe && nowMs < this.#probe.endsMs ? this.#probe.kbps : 0;
  }

  /** Starts a probe if the line was calm for long enough. Returns true if it did. */
  poll(rungs: readonly Rung[], current: number, nowMs: number): boolean {
    const better = rungs[current - 1];
    const isTime = nowMs - Math.max(this.#calmSinceMs, this.#changedMs) >= this.#holdMs;
    if (!better || better.kbps <= 0 || !isTime || this.#probe || this.#mayGoUp) return false;
    this.#probe = { endsMs: nowMs + probeMs, kbps: better.kbps * probeFactor, wantedKbps: better.kbps };
    return true;
  }

  /** `explainedMs`: part of the queue that the last keyframe explains. */
  onFigures(
    figures: LineFigures,
    explainedMs: number,
    { rungs, current }: { readonly rungs: readonly Rung[]; readonly current: number },
    nowMs: number,
  ): StepDown | undefined {
    const { lostShare } = figures;
    const queueMs = figures.queueMs - explainedMs;
    if (this.#probe) {
      this.#watchProbe(this.#probe, { ...figures, queueMs }, nowMs);
      return undefined;
    }
    if (queueMs >= calm.queueMs || lostShare > calm.lostShare) this.#calmSinceMs = nowMs;
    if (nowMs - this.#changedMs < blindMs) return undefined;
    const isGrowing = figures.growthMs - explainedMs > growthLimitMs;
    const isBad = (queueMs > queueLimitMs && (isGrowing || queueMs > longQueueMs)) || lostShare > lossLimit;
    this.#bad = isBad ? this.#bad + 1 : 0;
    if (this.#bad < badInRow || current >= rungs.length - 1) return undefined;
    return this.#stepDown(rungs, current, figures.receivedKbps, nowMs);
  }

  /** Called when the viewer got another quality. */
  onChanged(isUp: boolean, nowMs: number): void {
    this.#changedMs = nowMs;
    this.#calmSinceMs = nowMs;
    this.#bad = 0;
    this.#probe = undefined;
    this.#mayGoUp = false;
    if (isUp) this.#upMs = nowMs;
  }

  #stepDown(rungs: readonly Rung[], current: number, receivedKbps: number, nowMs: number): StepDown {
    this.#holdMs = nowMs - this.#upMs < relapseMs ? Math.min(this.#holdMs * 2, holdMs.most) : holdMs.first;
    this.#mayGoUp = false;
    const last = rungs.length - 1;
    const find = (from: number, isIt: (rung: Rung) => boolean) => {
      const found = rungs.findIndex((rung, index) => index >= from && isIt(rung));
      return found < 0 ? last : found;
    };
    const later = find(current + 1, ({ kbps }) => kbps < receivedKbps * fitting);
    const atOnce = find(later, ({ groupBytes }) => groupBytes * 8 <= receivedKbps * mostGroupMs);
    return { atOnce, later };
  }

  #watchProbe(
    { endsMs, wantedKbps }: { readonly endsMs: number; readonly wantedKbps: number },
    { queueMs, lostShare, receivedKbps }: LineFigures,
    nowMs: number,
  ): void {
    if (queueMs > queueLimitMs || lostShare > probeLoss) this.#fail(nowMs);
    // Reported rates cover half a second: the probe is judged once its packets have arrived and before they leave that window.
    else if (nowMs >= endsMs + settleMs) {
      if (receivedKbps >= wantedKbps * arrivedShare) this.#pass();
      else this.#fail(nowMs);
    } else if (nowMs >= endsMs - settleMs && receivedKbps >= wantedKbps * arrivedShare * probeFactor) this.#pass();
  }

  #pass(): void {
    this.#probe = undefined;
    this.#mayGoUp = true;
  }

  #fail(nowMs: number): void {
    this.#probe = undefined;
    this.#holdMs = Math.min(this.#holdMs * 1.5, holdMs.most);
    this.#changedMs = nowMs;
    this.#calmSinceMs = nowMs;
  }
}

/** Rate that most lines carry, for viewers that join: the large group of pictures of a better quality would fill a narrow line at once. */
const mostForNewcomerKbps = 1500;

/** Place of the quality that a viewer begins with. */
export function firstRung(rungs: readonly Rung[]): number {
  const fitting = rungs.findIndex(({ kbps }) => kbps <= mostForNewcomerKbps);
  return fitting < 0 ? rungs.length - 1 : fitting;
}
