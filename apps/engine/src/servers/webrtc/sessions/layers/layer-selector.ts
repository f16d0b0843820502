/** A layer that sends nothing for so long, while others do, is given up. */
const pausedMs = 1000;
/** A pause after which a layer counts as new. */
const brokenMs = 1500;
/** Time that a larger layer must be present before it is selected again: a switch costs viewers a change of size. */
const lastedMs = 5000;
/** The first picture waits so long for the layers that have not come yet. */
const gatherMs = 1000;
/** Encoders round sizes; a difference below this is none. */
const largerBy = 1.1;
/** Rates go up and down with what is shown. */
const fasterBy = 2;

/** State of one layer. */
export interface LayerState {
  /** Picture size; 0 until known. */
  readonly pixels: number;
  readonly kbps: number;
  /** True once it had a decodable keyframe. */
  readonly isReady: boolean;
  /** Time of its last packet; `-Infinity` before the first. */
  readonly heardMs: number;
  /** Since when it has come without a break. */
  readonly sinceMs: number;
}

/** Follows when packets of a layer come. */
export class Presence {
  heardMs = Number.NEGATIVE_INFINITY;
  sinceMs = Number.NEGATIVE_INFINITY;

  hear(nowMs: number): void {
    if (nowMs - this.heardMs >= brokenMs) this.sinceMs = nowMs;
    this.heardMs = nowMs;
  }
}

/** Chooses the layer of a simulcast publisher that becomes the stream: the largest one that arrives. */
export class LayerSelector {
  #gatherFromMs: number | undefined;

  /** The layer that shall lead from its next keyframe on; the present one when it stays, undefined when it is too early to tell. */
  choose(layers: readonly LayerState[], lead: number | undefined, nowMs: number): number | undefined {
    const present = lead === undefined ? undefined : layers[lead];
    if (lead === undefined || !present) return this.#first(layers, nowMs);
    const isPaused = nowMs - present.heardMs >= pausedMs;
    const least = isPaused ? pausedMs : lastedMs;
    // After a gap in all layers, the timers of all restart, so that the first one to return does not replace the others.
    const able = layers.map(
      (layer) => layer.isReady && nowMs - layer.heardMs < pausedMs && nowMs - layer.sinceMs >= least,
    );
    const best = largest(layers, able);
    if (best === undefined || best === lead) return lead;
    const rival = layers[best];
    return isPaused || (rival && outranks(rival, present)) ? best : lead;
  }

  #first(layers: readonly LayerState[], nowMs: number): number | undefined {
    const able = layers.map((layer) => layer.isReady && nowMs - layer.heardMs < pausedMs);
    if (!able.includes(true)) return undefined;
    this.#gatherFromMs ??= nowMs;
    const isComplete = layers.every(({ isReady }) => isReady);
    return isComplete || nowMs - this.#gatherFromMs >= gatherMs ? largest(layers, able) : undefined;
  }
}

function largest(layers: readonly LayerState[], able: readonly boolean[]): number | undefined {
  let best: number | undefined;
  for (const [index, layer] of layers.entries()) {
    const rival = best === undefined ? undefined : layers[best];
    if (able[index] && (!rival || isLarger(layer, rival))) best = index;
  }
  return best;
}

/** Compares picture sizes. */
export function isLarger(a: LayerState, b: LayerState): boolean {
  return measure(a, b) > 1;
}

/** Ratio of picture sizes, or of bitrates where a size is unknown. */
function measure(a: LayerState, b: LayerState): number {
  if (a.pixels > 0 && b.pixels > 0) return a.pixels / b.pixels;
  return a.kbps / Math.max(1, b.kbps);
}

function outranks(a: LayerState, b: LayerState): boolean {
  return measure(a, b) > (a.pixels > 0 && b.pixels > 0 ? largerBy : fasterBy);
}
