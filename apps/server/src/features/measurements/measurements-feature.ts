import { join } from 'node:path';
import { type ActiveStream, type Alert, type Diagnosis, measurementsApi, type StreamSamples } from '@weir/contract';
import { placeText, serverSampleFields, streamLabel, streamSampleFields, type WirePlace } from '@weir/dialect';
import type { Config, Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import type { Feature } from '../../core/feature.ts';
import { sampleTable } from '../../core/sample-table.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { keepMinutes } from './keep-minutes.ts';
import { MinuteFiles } from './minute-files.ts';
import { RecentSamples } from './recent-samples.ts';
import { StreamDiagnosis } from './stream-diagnosis.ts';

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
  const judged = async (): Promise<JudgedStream[]> => {
    const [live, known, silent] = await Promise.all([streams.list(), recent.read(), silence.streams()]);
    return live.map((stream) => {
      const samples = known.get(placeText(stream)) ?? unmeasured;
      return { stream, samples, diagnosis: diagnosis.of(stream, samples, silent) };
    });
  };
  return {
    minutesOf,
    async judge(live) {
      const seconds = sampleTable((await mediaServer.detail(live))?.seconds, streamSampleFields);
      return { seconds, diagnosis: diagnosis.of(live, seconds, await silence.streams()) };
    },
    routes: (http) => {
      http.route(measurementsApi.detail, async ({ since, ...place }) => {
        const [live, detail, silent] = await Promise.all([
          streams.find(place),
          mediaServer.detail(place),
          silence.streams(),
        ]);
        const samples = sampleTable(detail?.seconds, streamSampleFields);
        const newer = samplesAfter(samples, since);
        return {
          live: live ?? null,
          samples: newer,
          viewers: [...(detail?.viewers ?? [])],
          diagnosis: diagnosis.of(live, samples, silent),
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
