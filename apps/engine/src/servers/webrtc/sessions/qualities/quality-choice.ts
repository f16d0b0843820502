import type { LineFigures } from '../congestion/delay-trend.ts';

/** A line that carries its quality has no such queue, but for a moment. */
const queueLimitMs = 100;
const longQueueMs = 250;
const growthLimitMs = 15;
const lossLimit = 0.1;
/** Consecutive reports; receivers send ten to twenty a second. */
const badInRow = 2;
/** After a change or a failed probe, whose own packets are the queue. */
const blindMs = 1000;
/** The queue of a better quality takes so long to drain beside the lower one. */
const settlingMs = 1500;
/** Share of the received rate that a quality may take while a queue exists. */
const fitting = 0.85;
/** The cached group of pictures must be through in so long. */
const mostGroupMs = 150;
/** Below these nothing is wrong with the line. */
const calm = { queueMs: 40, lostShare: 0.01 } as const;
/** Pause before more is tried: of newcomers, of others, and at most. */
const holdMs = { newcomer: 1000, first: 1500, most: 32_000 } as const;
const probeMs = 500;
/** Time after which probe packets have been reported. */
const settleMs = 150;
const probeFactor = 1.2;
const probeLoss = 0.05;
const arrivedShare = 0.9;
/** Down again so soon after a change up: the next try comes later. */
const relapseMs = 6000;

/** A quality that the viewer may get. */
export interface Rung {
  readonly kbps: number;
  /** Size of the newest group of pictures. */
  readonly groupBytes: number;
}

/** Which qualities to go to, as places in the list: one at once, and one at its next keyframe. */
interface StepDown {
  readonly atOnce: number;
  readonly later: number;
}

/**
 * Decides which quality a viewer's line carries, by the queue before the line, its growth, what arrives and what is lost. Goes down at once
 * when the line is full; goes up after it has shown with repeated packets that it carries more. Qualities are listed best first.
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

  /** The line carries the next better quality: go to it with its next keyframe. */
  get mayGoUp(): boolean {
    return this.#mayGoUp;
  }

  /** The queue is still that of the quality before. */
  isSettling(nowMs: number): boolean {
    return nowMs - this.#changedMs < settlingMs;
  }

  /** Rate at which to send altogether, to find out what the line carries; 0 while nothing is tried. */
  probeKbps(nowMs: number): number {
    return this.#probe && nowMs < this.#probe.endsMs ? this.#probe.kbps : 0;
  }

  /** Begins to try more when the line was calm for long enough. True if it did. */
  poll(rungs: readonly Rung[], current: number, nowMs: number): boolean {
    const better = rungs[current - 1];
    const isTime = nowMs - Math.max(this.#calmSinceMs, this.#changedMs) >= this.#holdMs;
    if (!better || better.kbps <= 0 || !isTime || this.#probe || this.#mayGoUp) return false;
    this.#probe = { endsMs: nowMs + probeMs, kbps: better.kbps * probeFactor, wantedKbps: better.kbps };
    return true;
  }

  /** `explainedMs`: of the queue, what the last keyframe makes up. */
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

  /** The viewer got another quality. */
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
    // Rates are those of half a second: measured when its packets have arrived and before they leave the window.
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

/** Newcomers begin with what most lines carry: a large group of pictures would fill a narrow one at once. */
const mostForNewcomerKbps = 1500;

/** Place of the quality that a newcomer gets. */
export function firstRung(rungs: readonly Rung[]): number {
  const fitting = rungs.findIndex(({ kbps }) => kbps <= mostForNewcomerKbps);
  return fitting < 0 ? rungs.length - 1 : fitting;
}
