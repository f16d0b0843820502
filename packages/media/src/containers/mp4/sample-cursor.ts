import { MalformedMedia } from '../../frame.ts';
import type { SampleTable } from './sample-table.ts';

/** A place in the samples of a track, which moves forward only: tables of hours are walked, never spread out. */
export class SampleCursor {
  readonly #table: SampleTable;
  /** Index of the current sample; `table.count` at the end. */
  index = 0;
  /** On the track's own clock. */
  dts = 0;
  offset = 0;
  #timeRun = 0;
  #timeLeft = 0;
  #compositionRun = 0;
  #compositionLeft = 0;
  #chunk = 0;
  #chunkRun = 0;
  #chunkLeft = 0;
  #sync = 0;

  constructor(table: SampleTable) {
    this.#table = table;
    if (table.count === 0) return;
    if (table.times.length === 0 || table.chunks.length === 0) throw new MalformedMedia('tables of a track are empty');
    this.#timeLeft = table.times.first(0);
    this.#compositionLeft = table.compositions && table.compositions.length > 0 ? table.compositions.first(0) : 0;
    this.#skipEmptyRuns();
    this.#enterChunk();
  }

  get isAtEnd(): boolean {
    return this.index >= this.#table.count;
  }

  get size(): number {
    return this.#table.sizeOf(this.index);
  }

  get pts(): number {
    const { compositions } = this.#table;
    return (
      this.dts +
      (compositions && this.#compositionRun < compositions.length ? compositions.signed(this.#compositionRun) : 0)
    );
  }

  /** Without a list of them every sample is one. */
  get isSync(): boolean {
    const { syncs } = this.#table;
    if (!syncs) return true;
    while (4 * this.#sync < syncs.length && syncs.readUInt32BE(4 * this.#sync) < this.index + 1) this.#sync++;
    return 4 * this.#sync < syncs.length && syncs.readUInt32BE(4 * this.#sync) === this.index + 1;
  }

  advance(): void {
    const { times } = this.#table;
    this.offset += this.size;
    this.dts += this.#timeRun < times.length ? times.second(this.#timeRun) : 0;
    this.index++;
    this.#timeLeft--;
    this.#compositionLeft--;
    this.#skipEmptyRuns();
    this.#chunkLeft--;
    if (this.#chunkLeft > 0 || this.isAtEnd) return;
    this.#chunk++;
    this.#enterChunk();
  }

  clone(): SampleCursor {
    const twin = new SampleCursor(this.#table);
    Object.assign(twin, { index: this.index, dts: this.dts, offset: this.offset });
    twin.#timeRun = this.#timeRun;
    twin.#timeLeft = this.#timeLeft;
    twin.#compositionRun = this.#compositionRun;
    twin.#compositionLeft = this.#compositionLeft;
    twin.#chunk = this.#chunk;
    twin.#chunkRun = this.#chunkRun;
    twin.#chunkLeft = this.#chunkLeft;
    twin.#sync = this.#sync;
    return twin;
  }

  #skipEmptyRuns(): void {
    const { times, compositions } = this.#table;
    while (this.#timeLeft <= 0 && this.#timeRun + 1 < times.length) this.#timeLeft = times.first(++this.#timeRun);
    if (!compositions) return;
    while (this.#compositionLeft <= 0 && this.#compositionRun + 1 < compositions.length) {
      this.#compositionLeft = compositions.first(++this.#compositionRun);
    }
  }

  /** A run of chunks begins with the number of its first one, counted from 1. */
  #enterChunk(): void {
    const { chunks } = this.#table;
    while (this.#chunkRun + 1 < chunks.length && chunks.first(this.#chunkRun + 1) <= this.#chunk + 1) this.#chunkRun++;
    this.#chunkLeft = chunks.second(this.#chunkRun);
    if (this.#chunkLeft === 0) throw new MalformedMedia('a chunk holds nothing');
    this.offset = this.#table.offsetOf(this.#chunk);
  }
}
