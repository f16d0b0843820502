import { queryOptions } from '@tanstack/react-query';
import { measurementsApi, type StreamSamples } from '@weir/contract';
import { sampleSpans, type WirePlace } from '@weir/dialect';
import { client } from '../../../lib/api.ts';
import { joinSamples } from '../../../lib/join-samples.ts';
import { whileSignedIn } from '../../../lib/queries/while-signed-in.ts';

const minuteMs = 60_000;

/** The last day of a stream by the minute. The whole of it is asked for once, then only what is new. */
export const streamHistoryQuery = ({ vhost, app, stream }: WirePlace) =>
  queryOptions({
    queryKey: ['stream-history', vhost, app, stream],
    queryFn: async ({ client: queries, queryKey, signal }): Promise<StreamSamples> => {
      const known = queries.getQueryData<StreamSamples>(queryKey);
      const since = known?.at.at(-1) ?? 0;
      const { samples } = await client.call(measurementsApi.history, { vhost, app, stream, since }, { signal });
      return joinSamples(known, samples, sampleSpans.kept * minuteMs);
    },
    staleTime: minuteMs / 2,
    refetchInterval: whileSignedIn(minuteMs),
    meta: { quiet: true },
  });
