import { join } from 'node:path';
import { type ActiveStream, type Alert, type Diagnosis, measurementsApi, type StreamSamples } from '@weir/contract';
import { diagnoseStream } from '@weir/diagnose';
import type { ProgramStatus } from '@weir/engine-api';
import { type Config, type Log, LogRateLimiter } from '@weir/plane';
import {
  placeText,
  type SampleTable,
  sampleSpans,
  serverSampleFields,
  streamLabel,
  streamSampleFields,
  type WirePlace,
} from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import { sampleTable } from '../../core/sample-table.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { MinuteFiles } from './minute-files.ts';
import { RecentSamples } from './recent-samples.ts';

const minuteMs = 60_000;
/** After the end of a minute, when the engine has it for sure. */
const settleMs = 2000;

interface KeepMinutesContext {
  readonly mediaServer: MediaServer;
  readonly files: MinuteFiles;
  readonly clock: Clock;
  readonly log: Log;
}

/** Fetches every finished minute from the engine once and keeps it; after a restart, those that were missed as well. */
async function keepMinutes({ mediaServer, files, clock, log }: KeepMinutesContext, signal: AbortSignal): Promise<void> {
  const complaints = new LogRateLimiter({ each: 1, all: 4, windowMs: 3_600_000 });
  let sinceMs: number | undefined;
  while (!signal.aborted) {
    try {
      sinceMs ??= (await files.readServer(0, clock.dateMs())).at.at(-1) ?? 0;
      sinceMs = await fetchMinutes({ mediaServer, files }, sinceMs);
    } catch (error) {
      // The engine remembers two hours of them, so a while without it or without room on the disk costs nothing.
      if (complaints.pass('minutes') !== undefined) log.warn({ err: error }, 'measurements could not be saved');
    }
    await clock.pause(minuteMs - (clock.dateMs() % minuteMs) + settleMs, signal).catch(() => undefined);
  }
}

/** Stores the missing minutes. Returns the minute up to which all are stored. */
async function fetchMinutes(
  { mediaServer, files }: Pick<KeepMinutesContext, 'mediaServer' | 'files'>,
  sinceMs: number,
) {
  let fromMs = sinceMs;
  // Bounded like the memory of the engine.
  for (let page = 0; page <= sampleSpans.minutes / sampleSpans.page; page += 1) {
    const { server, streams } = await mediaServer.minutes(fromMs);
    const tables = [server, ...streams.map(({ samples }) => samples)];
    await files.appendServer(server);
    for (const stream of streams) await files.appendStream(stream, stream.samples);
    const full = tables.filter(({ at }) => at.length >= sampleSpans.page);
    fromMs = full.length > 0 ? Math.min(...full.map(lastOf)) : Math.max(fromMs, ...tables.map(lastOf));
    if (full.length === 0) break;
  }
  return fromMs;
}

function lastOf({ at }: SampleTable): number {
  return at.at(-1) ?? 0;
}

interface Context {
  readonly config: Pick<Config, 'dataDir'>;
  readonly mediaServer: MediaServer;
  readonly streams: {
    list(): Promise<ActiveStream[]>;
    find(place: { vhost: string; app: string; stream: string }): Promise<ActiveStream | undefined>;
  };
  readonly silence: { streams(): Promise<ReadonlySet<string>> };
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
}

const unmeasured = sampleTable(undefined, streamSampleFields);

/** A live stream, how it did for the last minutes, and what is wrong with it. */
interface JudgedStream {
  readonly stream: ActiveStream;
  readonly samples: StreamSamples;
  readonly diagnosis: Diagnosis;
}

interface Samples {
  readonly diagnosis: Diagnosis;
  readonly seconds: StreamSamples;
}

interface Offers extends Feature {
  /** All that are live, newest first. */
  judged(): Promise<JudgedStream[]>;
  /** The last five minutes, and what they come to. */
  judge(live: ActiveStream): Promise<Samples>;
  /** Stored minutes of a stream after a time. */
  minutesOf(place: WirePlace, sinceMs: number): Promise<StreamSamples>;
}

/** Measurements of streams and the server: the last minutes by the second, the last day by the minute. */
export function measurementsFeature(context: Context): Offers {
  const { config, mediaServer, streams, silence, clock } = context;
  const files = new MinuteFiles({ directory: join(config.dataDir, 'measurements') });
  const diagnosis = new StreamDiagnosis(context);
  const recent = new RecentSamples(context);
  const minutesOf = async (place: WirePlace, sinceMs: number) =>
    sampleTable(await files.readStream(place, sinceMs, clock.dateMs()), streamSampleFields);
  const known = async () => ({
    silent: await silence.streams(),
    // A separate SRS has none, and an engine that is away says nothing.
    programs: await mediaServer.programs().catch(() => []),
  });
  const judged = async (): Promise<JudgedStream[]> => {
    const [live, measured, more] = await Promise.all([streams.list(), recent.read(), known()]);
    return live.map((stream) => {
      const samples = measured.get(placeText(stream)) ?? unmeasured;
      return { stream, samples, diagnosis: diagnosis.of(stream, samples, more) };
    });
  };
  return {
    minutesOf,
    async judge(live) {
      const seconds = sampleTable((await mediaServer.detail(live))?.seconds, streamSampleFields);
      return { seconds, diagnosis: diagnosis.of(live, seconds, await known()) };
    },
    routes: (http) => {
      http.route(measurementsApi.detail, async ({ since, ...place }) => {
        const [live, detail, more] = await Promise.all([streams.find(place), mediaServer.detail(place), known()]);
        const samples = sampleTable(detail?.seconds, streamSampleFields);
        const newer = samplesAfter(samples, since);
        return {
          live: live ?? null,
          samples: newer,
          viewers: [...(detail?.viewers ?? [])],
          diagnosis: diagnosis.of(live, samples, more),
        };
      });
      http.route(measurementsApi.history, async ({ since, ...place }) => ({ samples: await minutesOf(place, since) }));
      http.route(measurementsApi.server, async ({ since }) => {
        const kept = await files.readServer(since, clock.dateMs());
        return { samples: sampleTable(kept, serverSampleFields) };
      });
    },
    judged,
    alerts: async () => (await judged()).flatMap(alertOf),
    tasks: { measurements: (signal) => keepMinutes({ ...context, files }, signal) },
    close: async () => recent.close(),
  };
}

/** A stream whose viewers suffer needs a person; one that could be better does not. */
function alertOf({ stream, diagnosis: { verdict, issues } }: JudgedStream): Alert[] {
  const [worst] = issues;
  if (verdict !== 'bad' || !worst) return [];
  const place = { page: 'settings', tab: 'streams', child: '' } as const;
  const subject = streamLabel(stream);
  return [
    { kind: 'stream', severity: 'bad', since: worst.since, count: 1, place, subject, label: '', cause: worst.id },
  ];
}

function samplesAfter({ at, columns }: StreamSamples, sinceMs: number): StreamSamples {
  const known = at.findLastIndex((atMs) => atMs <= sinceMs) + 1;
  const newer = Object.entries(columns).map(([field, values]) => [field, values.slice(known)]);
  return { at: at.slice(known), columns: Object.fromEntries(newer) as StreamSamples['columns'] };
}

/** Limits of remembered streams, and of publisher starts for each. */
const mostStreams = 500;
const mostTimes = 10;
/** A verdict stands this long for everybody who has no newer samples. */
const sharedMs = 2000;
/** An issue that was seen within this time is taken as the same one. */
const sameIssueMs = 30_000;

interface Judged {
  readonly publisher: string;
  /** Time of the newest sample in it. */
  readonly newestMs: number;
  readonly atMs: number;
  readonly diagnosis: Diagnosis;
}

/** Facts about streams from other features. */
interface Known {
  /** Streams that are silent because their owner chose it. */
  readonly silent: ReadonlySet<string>;
  readonly programs: readonly ProgramStatus[];
}

interface StreamDiagnosisContext {
  readonly events: Events;
  readonly clock: Clock;
}

/** Judges streams by their samples and publisher changes. Overview, pages, alerts, lists and reports all use this verdict, so that they agree. */
class StreamDiagnosis {
  readonly #clock: Clock;
  readonly #published = new Map<string, number[]>();
  readonly #judged = new Map<string, Judged>();

  constructor({ events, clock }: StreamDiagnosisContext) {
    this.#clock = clock;
    events.on('stream:published', (stream) => this.#note(stream));
  }

  of(live: ActiveStream | undefined, samples: StreamSamples, { silent, programs }: Known): Diagnosis {
    const atMs = this.#clock.dateMs();
    if (!live) return { verdict: 'none', issues: [] };
    const key = placeText(live);
    const newestMs = samples.at.at(-1) ?? 0;
    const known = this.#judged.get(key);
    const before = known?.publisher === live.client_id ? known : undefined;
    const ageMs = before ? atMs - before.atMs : Number.POSITIVE_INFINITY;
    if (before && newestMs <= before.newestMs && ageMs >= 0 && ageMs < sharedMs) return before.diagnosis;
    const found = diagnoseStream(samples, {
      nowMs: atMs,
      publishedAtMs: Date.parse(live.update) || atMs,
      media: live.media,
      announcedFps: live.media?.video?.fps ?? 0,
      isSilenceWanted: silent.has(streamLabel(live)),
      publishedMs: this.#published.get(key) ?? [],
      program: programs.find((program) => placeText(program) === key),
    });
    const diagnosis = ageMs < sameIssueMs ? dated(found, before?.diagnosis) : found;
    put(this.#judged, key, { publisher: live.client_id, newestMs, atMs, diagnosis });
    return diagnosis;
  }

  #note(place: WirePlace): void {
    const key = placeText(place);
    const times = this.#published.get(key) ?? [];
    put(this.#published, key, [...times, this.#clock.dateMs()].slice(-mostTimes));
  }
}

/** Rules look back some seconds only: what was wrong at the look before has been since then. */
function dated({ verdict, issues }: Diagnosis, before: Diagnosis | undefined): Diagnosis {
  const since = new Map(before?.issues.map((issue) => [issue.id, issue.since]));
  return {
    verdict,
    issues: issues.map((issue) => {
      const earlier = since.get(issue.id);
      return earlier !== undefined && earlier < issue.since ? { ...issue, since: earlier } : issue;
    }),
  };
}

/** The newest last; beyond the bound the oldest goes. */
function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= mostStreams) break;
    map.delete(oldest);
  }
}
