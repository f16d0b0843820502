const ticksPerMs = 90;
/** Pictures of a layer that are remembered: about two seconds. */
const remembered = 64;
/** An attempt to find the distance of a layer compares all of them with all of the lead's. */
const attemptEvery = 16;
/** Sender reports were seen to be off by 0.2 ms. A picture this near to where they put it is the same. */
const snapTicks = 5 * ticksPerMs;

interface Report {
  readonly ntpMs: number;
  readonly timestamp: number;
}

/** The newest timestamps of one layer. */
class Timestamps {
  readonly #ring = new Uint32Array(remembered);
  count = 0;

  push(timestamp: number): void {
    this.#ring[this.count % remembered] = timestamp;
    this.count += 1;
  }

  clear(): void {
    this.count = 0;
  }

  /** By how much the nearest pair of both is apart once the other is moved; undefined without any. */
  nearest(other: Timestamps, offset: number): number | undefined {
    let least: number | undefined;
    for (let own = 0; own < Math.min(remembered, this.count); own++)
      for (let theirs = 0; theirs < Math.min(remembered, other.count); theirs++) {
        const apart = ((this.#ring[own] ?? 0) - (other.#ring[theirs] ?? 0) - offset) | 0;
        if (least === undefined || Math.abs(apart) < Math.abs(least)) least = apart;
      }
    return least;
  }
}

interface Layer {
  readonly seen: Timestamps;
  /** Offset of its timestamps to the common clock; undefined until it is known. */
  offset: number | undefined;
  report: Report | undefined;
}

/**
 * The RTP clocks of layers on one: that of the layer that led first. Layers show the same captured pictures, so the distance of two
 * clocks is one number for the whole session. Some senders use one clock for all (OBS), others begin each at a random number
 * (Chromium). Then the sender reports of both tell the distance, and the nearest picture makes it exact.
 */
export class LayerClock {
  readonly #layers: readonly Layer[];
  /** Pictures that were shown, on the common clock. */
  readonly #shown = new Timestamps();
  #last: { readonly timestamp: number; readonly nowMs: number } | undefined;
  /** The newest report on the common clock. */
  #report: Report | undefined;

  constructor(layers: number) {
    this.#layers = Array.from({ length: layers }, () => ({
      seen: new Timestamps(),
      offset: undefined,
      report: undefined,
    }));
  }

  /** Another source sends this layer, on a clock of its own. */
  reset(index: number): void {
    const layer = this.#layers[index];
    if (!layer) return;
    layer.offset = undefined;
    layer.report = undefined;
    layer.seen.clear();
  }

  /** A report on the common clock; undefined while the distance of its layer is not known. */
  onSenderReport(index: number, ntpMs: number, timestamp: number): number | undefined {
    const layer = this.#layers[index];
    if (!layer) return undefined;
    layer.report = { ntpMs, timestamp };
    if (layer.offset === undefined) return undefined;
    const common = (timestamp + layer.offset) >>> 0;
    this.#report = { ntpMs, timestamp: common };
    return common;
  }

  /** A picture that is not shown. */
  onOther(index: number, timestamp: number): void {
    const layer = this.#layers[index];
    if (!layer || layer.offset !== undefined) return;
    layer.seen.push(timestamp);
    if (layer.seen.count % attemptEvery === 0) this.#findOffset(layer);
  }

  /** A timestamp on the common clock; undefined while the distance of its layer is not known. */
  place(index: number, timestamp: number): number | undefined {
    const offset = this.#layers[index]?.offset;
    return offset === undefined ? undefined : (timestamp + offset) >>> 0;
  }

  /** A picture that is shown; its timestamp on the common clock. */
  onShown(index: number, timestamp: number, nowMs: number): number {
    const layer = this.#layers[index];
    if (!layer) return timestamp;
    if (layer.offset === undefined) this.#findOffset(layer);
    layer.offset ??= this.#begin(layer, timestamp, nowMs);
    const common = (timestamp + layer.offset) >>> 0;
    this.#shown.push(common);
    this.#last = { timestamp: common, nowMs };
    return common;
  }

  #findOffset(layer: Layer): void {
    if (this.#shown.nearest(layer.seen, 0) === 0) layer.offset = 0;
    const reported = this.#reportedOffset(layer);
    if (layer.offset !== undefined || reported === undefined) return;
    const apart = this.#shown.nearest(layer.seen, reported);
    if (apart !== undefined && Math.abs(apart) <= snapTicks) layer.offset = (reported + apart) >>> 0;
  }

  #reportedOffset({ report }: Layer): number | undefined {
    if (!report || !this.#report) return undefined;
    const passed = Math.round((report.ntpMs - this.#report.ntpMs) * ticksPerMs);
    return (this.#report.timestamp + passed - report.timestamp) >>> 0;
  }

  /**
   * The layer must be shown before a matching frame set its offset: uses its report, or the delay of the previous
   * layer.
   */
  #begin(layer: Layer, timestamp: number, nowMs: number): number {
    const last = this.#last;
    if (!last) {
      this.#report = layer.report;
      return 0;
    }
    const arrived = (last.timestamp + Math.round((nowMs - last.nowMs) * ticksPerMs) - timestamp) >>> 0;
    const reported = this.#reportedOffset(layer);
    // Both estimates differ by the transit of one frame; a report that differs by seconds is wrong.
    if (reported !== undefined && Math.abs((reported - arrived) | 0) < 2000 * ticksPerMs) return reported;
    // From here on it is the clock that others are compared with.
    this.#shown.clear();
    this.#report = layer.report && {
      ntpMs: layer.report.ntpMs,
      timestamp: (layer.report.timestamp + arrived) >>> 0,
    };
    for (const other of this.#layers) {
      other.offset = undefined;
      other.seen.clear();
    }
    return arrived;
  }
}
