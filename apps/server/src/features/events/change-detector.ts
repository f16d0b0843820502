import type { EventTopic, LiveEvents } from '@weir/contract';
import { type SampleTable, serverSampleFields, streamSampleFields } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { EventBroadcaster } from './event-broadcaster.ts';

/** Looks that cost more than a read of memory are taken each second time. */
const lookEvery = 2;

/** A page that is reloaded, or a network that changes, is back by then and has missed nothing. */
const graceSeconds = 30;

/** Text that differs whenever the observed state changed. */
type Look = () => Promise<Partial<Record<EventTopic, string>>>;

interface Context {
  readonly desk: EventBroadcaster;
  readonly mediaServer: MediaServer;
  readonly clock: Clock;
  /** Looks of every second, and of every other. */
  readonly quickLooks: readonly Look[];
  readonly looks: readonly Look[];
  /** Numbers of what runs. */
  readonly rows: () => LiveEvents['rows'];
}

/**
 * Polls for changes that nothing announces: samples and processes each second, other states every two. Stops some time
 * after the last listener left.
 */
export class ChangeDetector {
  readonly #context: Context;
  readonly #seen = new Map<EventTopic, string>();
  #running: Promise<void> | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Begins unless it is under way. */
  wake(signal: AbortSignal): void {
    this.#running ??= this.#run(signal).finally(() => {
      this.#running = undefined;
      // A listener may have come at the moment it ended.
      if (this.#context.desk.size > 0 && !signal.aborted) this.wake(signal);
    });
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { desk, clock, quickLooks, looks, rows } = this.#context;
    this.#seen.clear();
    desk.open();
    let alone = 0;
    for (let second = 0; alone < graceSeconds && !signal.aborted; second += 1) {
      alone = desk.size > 0 ? 0 : alone + 1;
      await Promise.all([
        desk.size > 0 ? this.#sample() : undefined,
        this.#look(second % lookEvery === 0 ? [...quickLooks, ...looks] : quickLooks),
      ]);
      if (desk.size > 0) desk.rows(rows());
      await clock.pause(1000, signal).catch(() => undefined);
    }
    desk.forget();
  }

  /** While the engine is away there is nothing to tell. */
  async #sample(): Promise<void> {
    const { desk, mediaServer } = this.#context;
    const latest = await mediaServer.latestSamples().catch(() => undefined);
    const at = latest?.server.at.at(-1);
    if (!latest || at === undefined) return;
    const live = latest.streams.filter(({ isLive }) => isLive);
    const streams = live.map(({ vhost, app, stream, samples }) => ({
      vhost,
      app,
      stream,
      values: lastOf(samples, streamSampleFields),
    }));
    desk.samples({ at, server: lastOf(latest.server, serverSampleFields), streams });
  }

  async #look(looks: readonly Look[]): Promise<void> {
    const { desk } = this.#context;
    const found = await Promise.all(looks.map((look) => look().catch(() => ({}))));
    const entries = found.flatMap((each) => Object.entries(each) as [EventTopic, string][]);
    const changed = entries.filter(([topic, text]) => (this.#seen.get(topic) ?? text) !== text);
    for (const [topic, text] of entries) this.#seen.set(topic, text);
    if (changed.length > 0) desk.changed(changed.map(([topic]) => topic));
  }
}

function lastOf({ columns }: SampleTable, fields: readonly string[]): (number | null)[] {
  return fields.map((field) => columns[field]?.at(-1) ?? null);
}
