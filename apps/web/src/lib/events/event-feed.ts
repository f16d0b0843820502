import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { ServerEvent } from '@weir/client';
import {
  type DataOf,
  type EventTopic,
  eventsApi,
  eventTimes,
  type LiveEvents,
  type overviewApi,
  type streamsApi,
} from '@weir/contract';
import {
  placeText,
  playProtocols,
  type StreamSampleField,
  serverSampleFields,
  streamSampleFields,
} from '@weir/streams';
import { client, isSignInEnded, retryDelayMs } from '../api.ts';
import { isScrollIdle, onScrollIdle } from '../scroll-idle.ts';
import { eventFeedState } from './event-feed-state.ts';
import { applyRows } from './live-rows.ts';
import { appendSample } from './live-samples.ts';

/** Queries to refetch, by topic. */
const shownBy: Readonly<Record<EventTopic, readonly QueryKey[]>> = {
  streams: [['streams'], ['overview'], ['publish-attempts']],
  alerts: [['status']],
  forward: [['forward'], ['overview']],
  vlive: [['vlive']],
  camera: [['camera']],
  transcode: [['transcode', 'task']],
  record: [['record'], ['overview']],
  uploads: [['bucket'], ['record', 'files']],
  transcript: [['transcript']],
  timeline: [['timeline']],
  ocr: [['ocr']],
  dubbing: [
    ['dubbing', 'list'],
    ['dubbing', 'task'],
  ],
  rooms: [
    ['rooms', 'list'],
    ['rooms', 'usage'],
  ],
  callbacks: [['hooks']],
  certificates: [['certs', 'status']],
  components: [['components']],
  programs: [['programs']],
};
const allTopics = Object.keys(shownBy) as EventTopic[];
/** Changes within this time are merged. */
const gatherMs = 300;
/** A new page has just fetched everything, so changes from before its connection can wait until it has rendered. */
const firstCatchUpMs = 3000;
/** Samples are held back while the user scrolls, up to this time. */
const longestDelayMs = 5000;

/** Listens to server events and refetches the queries they concern. */
export class EventFeed {
  readonly #queries: QueryClient;
  readonly #changed = new Set<EventTopic>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #catchUpTimer: ReturnType<typeof setTimeout> | undefined;
  #lastId = '';
  #connectedAtMs = 0;
  #pendingSamples: LiveEvents['samples'] | undefined;
  #shownAt = 0;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** Runs until aborted or signed out. Reconnects after failures; queries poll at their normal rate meanwhile. */
  async run(signal: AbortSignal): Promise<void> {
    const leave = onScrollIdle(() => this.#show());
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await this.#listen(signal, () => {
          failures = 0;
        });
      } catch (error) {
        if (isSignInEnded(error)) break;
      }
      // Polling was slowed down, so refetch now to show the outage without delay.
      if (eventFeedState.isConnected) this.#invalidateSoon(allTopics);
      eventFeedState.isConnected = false;
      await pause(retryDelayMs(failures), signal);
    }
    eventFeedState.isConnected = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#catchUpTimer);
    leave();
  }

  async #listen(signal: AbortSignal, onAnyEvent: () => void): Promise<void> {
    const silence = new AbortController();
    this.#connectedAtMs = Date.now();
    let watchdog = setTimeout(() => silence.abort(), eventTimes.silenceMs);
    const onText = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => silence.abort(), eventTimes.silenceMs);
    };
    const options = { signal: AbortSignal.any([signal, silence.signal]), lastId: this.#lastId, onText };
    try {
      for await (const event of client.listen(eventsApi.listen, options)) {
        onAnyEvent();
        this.#onEvent(event);
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  #onEvent({ name, data, id }: ServerEvent): void {
    const isFirst = this.#lastId === '';
    this.#lastId = id;
    eventFeedState.isConnected = true;
    const event: unknown = JSON.parse(data);
    if (name === 'hello' && (event as LiveEvents['hello']).isReset) {
      const missed = this.#fetchedBefore();
      if (isFirst) this.#catchUpTimer = setTimeout(() => this.#catchUp(missed), firstCatchUpMs);
      else this.#catchUp(missed);
    }
    if (name === 'changed') this.#invalidateSoon((event as LiveEvents['changed']).topics);
    if (name === 'rows') applyRows(this.#queries, event as LiveEvents['rows']);
    if (name === 'samples') this.#onSamples(event as LiveEvents['samples']);
  }

  #onSamples(samples: LiveEvents['samples']): void {
    for (const stream of samples.streams) appendSample(this.#queries, stream, samples.at);
    this.#pendingSamples = samples;
    if (isScrollIdle() || samples.at - this.#shownAt >= longestDelayMs) this.#show();
  }

  #show(): void {
    if (!this.#pendingSamples) return;
    applySamples(this.#queries, this.#pendingSamples);
    this.#shownAt = this.#pendingSamples.at;
    this.#pendingSamples = undefined;
  }

  /** Events before the connection are unknown. Data fetched since then, or being fetched, is current. */
  #fetchedBefore(): ReadonlySet<Query> {
    const isOlder = ({ state }: Query) => state.dataUpdatedAt < this.#connectedAtMs && state.fetchStatus !== 'fetching';
    const keys = allTopics.flatMap((topic) => shownBy[topic]);
    return new Set(keys.flatMap((queryKey) => this.#queries.getQueryCache().findAll({ queryKey, predicate: isOlder })));
  }

  /** Decided when the connection began: since then live numbers have been written into data that is older. */
  #catchUp(missed: ReadonlySet<Query>): void {
    void this.#queries.invalidateQueries({ predicate: (query) => missed.has(query) });
  }

  #invalidateSoon(topics: readonly EventTopic[]): void {
    for (const topic of topics) this.#changed.add(topic);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // A newer server may send unknown topics.
      const keys = [...this.#changed].flatMap((topic) => shownBy[topic] ?? []);
      // Topics can share queries.
      const once = new Map(keys.map((key) => [key.join(' '), key])).values();
      this.#changed.clear();
      for (const queryKey of once) void this.#queries.invalidateQueries({ queryKey });
    }, gatherMs);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

type Streams = DataOf<typeof streamsApi.query>;
type ServerNow = DataOf<typeof overviewApi.now>;

/** Writes the latest sample into the query cache, so that pages need not poll. */
function applySamples(queries: QueryClient, samples: LiveEvents['samples']): void {
  const values = Object.fromEntries(serverSampleFields.map((field, at) => [field, samples.server[at] ?? null]));
  queries.setQueryData<ServerNow>(['server-now'], { at: samples.at, values: values as ServerNow['values'] });
  applyToStreams(queries, samples);
}

/** Skips a list with other streams: an event or a poll will update it. */
function applyToStreams(queries: QueryClient, { streams }: LiveEvents['samples']): void {
  const known = queries.getQueryData<Streams>(['streams']);
  const valuesOf = new Map(streams.map((stream) => [placeText(stream), stream.values]));
  const isSame =
    known?.streams.length === streams.length && known.streams.every((each) => valuesOf.has(placeText(each)));
  if (!known || !isSame || streams.length === 0) return;
  const measuredNow = known.streams.map((stream) => measured(stream, valuesOf.get(placeText(stream))));
  queries.setQueryData<Streams>(['streams'], { ...known, streams: measuredNow });
}

/** Before, the average still has the burst at the start of the publisher in it. */
const settlesMs = 8000;

function measured(stream: Streams['streams'][number], values: readonly (number | null)[] | undefined) {
  const { media } = stream;
  if (!values || !media) return stream;
  const sampled = (field: StreamSampleField) => values[streamSampleFields.indexOf(field)] ?? 0;
  // Unknown while a publisher sends what it has buffered.
  const inKbps = values[streamSampleFields.indexOf('inKbps')] ?? null;
  const isSettled = Date.now() - Date.parse(stream.update) > settlesMs;
  const viewersBy = Object.fromEntries(playProtocols.map((protocol) => [protocol, sampled(protocol)]));
  return {
    ...stream,
    media: {
      ...media,
      kbps: inKbps === null ? media.kbps : Math.round(isSettled ? media.kbps * 0.7 + inKbps * 0.3 : inKbps),
      // Smooths the jumps that keyframes cause in one-second samples.
      fps: Math.round((media.fps * 0.7 + sampled('fps') * 0.3) * 10) / 10,
      viewers: Object.values(viewersBy).reduce((sum, one) => sum + one, 0),
      ...(media.viewersBy && { viewersBy: viewersBy as NonNullable<typeof media.viewersBy> }),
    },
  };
}
