import type { MediaFrame, TrackConfig } from '@weir/media';
import { WatchClock } from '@weir/plane';
import { windowFor } from '../../../hub/fan-out/flush-window.ts';
import type { Packager } from '../../../hub/packager.ts';
import type { FrameSource } from '../../../hub/stream.ts';
import type { SrtViewer } from './srt-viewer.ts';
import { type TsBatch, TsBatches } from './ts-batches.ts';

/** libsrt's threads spend about twice the time of handing messages over, on packets and acknowledgements. */
const wholeCostFactor = 3;
const largestBatchBytes = 4 * 1024 * 1024;
/** Interval between batches. Without data, no viewer falls behind. */
const longestStepMs = 2000;

/** Sends one stream to its SRT viewers: muxed once, gathered for a window, the same buffers for all. */
export class SrtFanOut implements Packager {
  readonly #stream: FrameSource;
  readonly #onEmpty: () => void;
  readonly #viewers = new Set<SrtViewer>();
  readonly #batches = new TsBatches((batch) => this.#send(batch));
  readonly #clock = new WatchClock(longestStepMs);
  #flushCostMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor(stream: FrameSource, onEmpty: () => void) {
    this.#stream = stream;
    this.#onEmpty = onEmpty;
    stream.attach(this);
    // Cached frames are packed like later ones, so that continuity counters have no break.
    try {
      for (const frame of stream.cached()) this.#batches.frame(frame);
      this.#batches.flush();
    } catch (error) {
      // A failed start must not stay attached to the stream.
      stream.detach(this);
      throw error;
    }
  }

  /** Sends a viewer the frames since the last keyframe; then it gets the same batches as all others. */
  add(viewer: SrtViewer): void {
    this.#flush();
    const nowMs = this.#clock.now();
    for (const batch of this.#batches.cached) viewer.offer(batch, nowMs);
    this.#viewers.add(viewer);
  }

  remove(viewer: SrtViewer): void {
    if (!this.#viewers.delete(viewer) || this.#viewers.size > 0) return;
    this.#cancel();
    this.#stream.detach(this);
    this.#onEmpty();
  }

  onConfig(config: TrackConfig): void {
    this.#flush();
    this.#batches.config(config);
  }

  onFrame(frame: MediaFrame): void {
    this.#batches.frame(frame);
    if (this.#batches.bytes >= largestBatchBytes) this.#flush();
    else if (this.#timer === undefined && this.#immediate === undefined) this.#schedule();
  }

  onDiscontinuity(): void {
    this.#flush();
    this.#batches.clearCache();
  }

  close(): void {
    this.#flush();
    for (const viewer of [...this.#viewers]) viewer.kick('the stream has ended');
  }

  #schedule(): void {
    const waitMs = windowFor(this.#flushCostMs * wholeCostFactor, performance.now());
    if (waitMs >= 1) this.#timer = setTimeout(this.#flush, waitMs);
    else this.#immediate = setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#cancel();
    this.#batches.flush();
  };

  #send(batch: TsBatch): void {
    if (this.#viewers.size === 0) return;
    const before = performance.now();
    const nowMs = this.#clock.now();
    for (const viewer of this.#viewers) viewer.offer(batch, nowMs);
    // Half the old, half the new: one slow flush must not delay the next second.
    this.#flushCostMs = (this.#flushCostMs + performance.now() - before) / 2;
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = undefined;
    this.#immediate = undefined;
  }
}
