import type { FileRegion } from '../../delivery/memory-file.ts';
import type { Window } from '../../hub/fan-out/audience.ts';
import type { RateMeter } from '../../hub/rate-meter.ts';
import type { DeliveryEngineNote } from './delivery-notes.ts';

/** Assumed cost of a window per viewer, before the first report. */
const viewerCostMs = 0.005;

/** The process that a feed is sent to. */
interface FeedProcess {
  readonly load: number | undefined;
  send(note: DeliveryEngineNote): void;
}

/** Fan-out as sent to one process, while it has viewers there. */
export class ProcessFeed {
  readonly number: number;
  readonly bytesOut: RateMeter;
  readonly #process: FeedProcess;
  /** Regions of the file that the process may still read, oldest first. */
  #held: { readonly id: number; readonly region: FileRegion }[] = [];
  #regions = 0;
  #costMs = 0;
  viewers = 0;
  isShut = false;

  constructor(number: number, bytesOut: RateMeter, process: FeedProcess) {
    this.number = number;
    this.bytesOut = bytesOut;
    this.#process = process;
  }

  get costMs(): number {
    return Math.max(this.#costMs, this.viewers * viewerCostMs);
  }

  get load(): number {
    return this.#process.load ?? 0;
  }

  setCost(costMs: number): void {
    this.#costMs = costMs;
  }

  setConfigs(configs: readonly string[]): void {
    this.#process.send({ type: 'configs', feed: this.number, configs });
  }

  sendWindow({ bytes, frames, isEntry }: Window): void {
    const { stored } = bytes;
    if (!stored) {
      this.#process.send({ type: 'gap', feed: this.number, frames });
      return;
    }
    const { region, place } = stored;
    if (this.#held.at(-1)?.region !== region) {
      this.#regions += 1;
      region.hold();
      this.#held.push({ id: this.#regions, region });
    }
    this.#process.send({
      type: 'window',
      feed: this.number,
      region: this.#regions,
      place,
      bytes: bytes.length,
      frames,
      isEntry,
    });
  }

  releaseBefore(id: number): void {
    while (this.#held[0] && this.#held[0].id < id) this.#held.shift()?.region.release();
  }

  /** Ends the feed. Its regions are kept until the process confirms or exits, because it may still send from them. */
  shut(): void {
    if (this.isShut) return;
    this.isShut = true;
    this.#process.send({ type: 'shut', feed: this.number });
  }

  releaseAll(): void {
    this.isShut = true;
    for (const { region } of this.#held.splice(0)) region.release();
  }
}
