import type { StreamSamples } from '@weir/contract';
import { IdleTimeout } from '@weir/plane';
import { placeText, type SampleTable, sampleSpans, streamSampleFields } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { sampleTable } from '../../core/sample-table.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import type { MediaServer } from '../../media-server/media-server.ts';

const secondMs = 1000;
/** Largest plausible lead of the engine's clock over ours. */
const leadMs = 5000;
/** Five minutes of 200 streams take 9 MB, so they are kept only while a page needs them. */
const idleMs = 60_000;
/** Full history of the engine, and a read in progress. */
const mostPages = sampleSpans.seconds / sampleSpans.recentPage + 1;

interface Context {
  readonly mediaServer: Pick<MediaServer, 'recentSamples'>;
  readonly clock: Clock;
}

/** Last five minutes of every live stream, while a page needs them. Reads only new samples, once for all readers. */
export class RecentSamples {
  readonly #context: Context;
  readonly #streams = new Map<string, StreamSamples>();
  readonly #read: TtlCache<ReadonlyMap<string, StreamSamples>>;
  #idle: IdleTimeout | undefined;
  #sinceMs = 0;

  constructor(context: Context) {
    this.#context = context;
    this.#read = new TtlCache(() => this.#catchUp(), secondMs, context.clock);
  }

  /** By `vhost/app/name`. */
  read(): Promise<ReadonlyMap<string, StreamSamples>> {
    this.#idle ??= new IdleTimeout(idleMs, () => this.close());
    this.#idle.refresh();
    return this.#read.get();
  }

  close(): void {
    this.#idle?.end();
    this.#idle = undefined;
    this.#read.forget();
    this.#forget();
  }

  #forget(): void {
    this.#streams.clear();
    this.#sinceMs = 0;
  }

  async #catchUp(): Promise<ReadonlyMap<string, StreamSamples>> {
    const { mediaServer, clock } = this.#context;
    // After the clock was set back, earlier samples lie in the future.
    if (this.#sinceMs > clock.dateMs() + leadMs) this.#forget();
    let sinceMs = Math.max(this.#sinceMs, clock.dateMs() - sampleSpans.seconds * secondMs);
    const live = new Set<string>();
    for (let page = 0; page < mostPages; page += 1) {
      const { streams } = await mediaServer.recentSamples(sinceMs);
      for (const { samples, ...place } of streams) {
        const key = placeText(place);
        live.add(key);
        this.#streams.set(key, joined(this.#streams.get(key), samples));
      }
      const full = streams.filter(({ samples }) => samples.at.length >= sampleSpans.recentPage);
      const ends = (full.length > 0 ? full : streams).map(({ samples }) => samples.at.at(-1) ?? 0);
      sinceMs = full.length > 0 ? Math.min(...ends) : Math.max(sinceMs, ...ends);
      if (full.length === 0) break;
    }
    const isNew = sinceMs > this.#sinceMs;
    this.#sinceMs = sinceMs;
    // Without a new sample the list is unknown, rather than empty.
    if (isNew) for (const key of this.#streams.keys()) if (!live.has(key)) this.#streams.delete(key);
    return this.#streams;
  }
}

/** Appends new samples without duplicates and drops those older than five minutes. */
function joined(known: StreamSamples | undefined, more: SampleTable): StreamSamples {
  const lastMs = known?.at.at(-1) ?? 0;
  const from = more.at.findIndex((atMs) => atMs > lastMs);
  const newer = sampleTable(more, streamSampleFields);
  if (!known) return newer;
  if (from < 0) return known;
  const join = <T>(before: readonly T[], after: readonly T[]) =>
    [...before, ...after.slice(from)].slice(-sampleSpans.seconds);
  const columns = streamSampleFields.map((field) => [field, join(known.columns[field], newer.columns[field])]);
  return { at: join(known.at, newer.at), columns: Object.fromEntries(columns) as StreamSamples['columns'] };
}
