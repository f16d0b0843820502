import { type SampleTable, type ServerSampleField, serverSampleFields, serverSampleFolds } from '@weir/streams';
import type { Hub } from '../hub.ts';
import { isInputPlace } from '../program/input-place.ts';
import { SampleSeries } from './sample-series.ts';
import { StreamMeasure } from './stream-measure.ts';

const everyMs = 1000;
/** A stream that ended is remembered until the control plane has had the time to ask for its last minute. */
const keepMs = 150_000;
/** Time for which sampling continues after a query while no stream is live. */
const afterQueryMs = 15_000;
/** Streams beyond these are not measured: 36 KB each. */
const mostStreams = 2000;

const fieldAt = Object.fromEntries(serverSampleFields.map((field, index) => [field, index])) as Readonly<
  Record<ServerSampleField, number>
>;
/** Server values that are the sum over its streams. */
const summed = ['inKbps', 'outKbps', 'dropped', 'rtc', 'flv', 'hls', 'rtmp', 'srt'] as const;

/** Shares from 0 to 1; of one core where it says so. */
interface MachineLoad {
  readonly cpu: number;
  readonly engineCpu: number;
  readonly memory: number;
}

interface Options {
  readonly hub: Hub;
  readonly machine: () => MachineLoad;
  readonly nowMs?: () => number;
}

/** Samples every stream and the server once a second, while a stream is live or samples are requested. */
export class Sampler {
  readonly server = new SampleSeries<ServerSampleField>(serverSampleFolds);
  readonly #options: Options;
  readonly #nowMs: () => number;
  readonly #measures = new Map<string, StreamMeasure>();
  readonly #row = new Float64Array(serverSampleFields.length);
  readonly #unwatch: () => void;
  #timer: NodeJS.Timeout | undefined;
  #sampledMs = 0;
  #queriedMs = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#unwatch = options.hub.watch((_key, state) => {
      if (state === 'live' || state === 'shared') this.#start();
    });
  }

  /** Keeps sampling for a while after a query. */
  extend(): void {
    this.#queriedMs = this.#nowMs();
    this.glance();
    this.#start();
  }

  /** Takes one sample now, unless sampling runs anyway. */
  glance(): void {
    if (!this.#timer) this.#sample();
  }

  find(key: string): StreamMeasure | undefined {
    return this.#measures.get(key);
  }

  measures(): IterableIterator<StreamMeasure> {
    return this.#measures.values();
  }

  /** The newest second of the server. */
  latest(): SampleTable<ServerSampleField> {
    return this.server.seconds(this.server.newestAt - 1, 1);
  }

  close(): void {
    this.#unwatch();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    this.#timer ??= setInterval(() => this.#sample(), everyMs).unref();
  }

  #sample(): void {
    const nowMs = this.#nowMs();
    const atMs = Math.floor(nowMs / everyMs) * everyMs;
    // A timer that comes early would write the same second twice.
    if (atMs === Math.floor(this.#sampledMs / everyMs) * everyMs) return;
    this.#sampledMs = nowMs;
    this.#meet(nowMs);
    for (const measure of this.#measures.values()) measure.begin();
    for (const entry of this.#options.hub.clients.all()) this.#measures.get(entry.key)?.see(entry);
    for (const measure of this.#measures.values()) measure.end(atMs, nowMs);
    this.#sampleServer(atMs);
    this.#removeStale(nowMs);
  }

  #meet(nowMs: number): void {
    for (const stream of this.#options.hub.all()) {
      if (!stream.isLive) continue;
      let measure = this.#measures.get(stream.key);
      if (!measure && this.#measures.size < mostStreams) {
        measure = new StreamMeasure(stream, nowMs);
        this.#measures.set(stream.key, measure);
      }
      measure?.follow(stream, nowMs);
      if (measure) measure.liveAt = nowMs;
    }
  }

  #sampleServer(atMs: number): void {
    const { machine } = this.#options;
    const row = this.#row;
    row.fill(0);
    for (const measure of this.#measures.values()) {
      if (!measure.stream.isLive || isInputPlace(measure.stream.place)) continue;
      row[fieldAt.streams] = (row[fieldAt.streams] ?? 0) + 1;
      for (const field of summed) row[fieldAt[field]] = (row[fieldAt[field]] ?? 0) + measure.value(field);
    }
    const { cpu, engineCpu, memory } = machine();
    row[fieldAt.cpu] = cpu;
    row[fieldAt.engineCpu] = engineCpu;
    row[fieldAt.memory] = memory;
    this.server.add(atMs, row);
  }

  #removeStale(nowMs: number): void {
    for (const [key, measure] of this.#measures) {
      if (nowMs - measure.liveAt > keepMs) this.#measures.delete(key);
    }
    if (this.#measures.size > 0 || nowMs - this.#queriedMs < afterQueryMs) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
