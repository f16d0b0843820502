import { join } from 'node:path';
import { type ActiveStream, measurementsApi, type ServerSamples, type StreamSamples } from '@weir/contract';
import { type SampleTable, serverSampleFields, streamSampleFields } from '@weir/dialect';
import type { Config, Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { Feature } from '../../core/feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { keepMinutes } from './keep-minutes.ts';
import { MinuteFiles } from './minute-files.ts';

interface Context {
  readonly config: Pick<Config, 'dataDir'>;
  readonly mediaServer: MediaServer;
  readonly streams: { find(place: { vhost: string; app: string; stream: string }): Promise<ActiveStream | undefined> };
  readonly clock: Clock;
  readonly log: Log;
}

/** How streams and the server did: the last minutes by the second, the last day by the minute. */
export function measurementsFeature(context: Context): Feature {
  const { config, mediaServer, streams, clock } = context;
  const files = new MinuteFiles({ directory: join(config.dataDir, 'measurements') });
  return {
    routes: (http) => {
      http.route(measurementsApi.detail, async ({ since, ...place }) => {
        const [live, detail] = await Promise.all([streams.find(place), mediaServer.detail(place, since)]);
        const samples = withColumns<StreamSamples>(detail?.seconds, streamSampleFields);
        return { live: live ?? null, samples, viewers: [...(detail?.viewers ?? [])] };
      });
      http.route(measurementsApi.history, async ({ since, ...place }) => {
        const kept = await files.readStream(place, since, clock.dateMs());
        return { samples: withColumns<StreamSamples>(kept, streamSampleFields) };
      });
      http.route(measurementsApi.server, async ({ since }) => {
        const kept = await files.readServer(since, clock.dateMs());
        return { samples: withColumns<ServerSamples>(kept, serverSampleFields) };
      });
    },
    tasks: { measurements: (signal) => keepMinutes({ ...context, files }, signal) },
  };
}

/** Exactly the columns of the contract, whatever an engine of another version tells. */
function withColumns<Samples extends StreamSamples | ServerSamples>(
  table: SampleTable | undefined,
  fields: readonly string[],
): Samples {
  const at = [...(table?.at ?? [])];
  const columnOf = (field: string) => at.map((_, index) => table?.columns[field]?.[index] ?? null);
  return { at, columns: Object.fromEntries(fields.map((field) => [field, columnOf(field)])) } as Samples;
}
