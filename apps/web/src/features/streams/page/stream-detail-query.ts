import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, type DataOf, measurementsApi } from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import { client } from '../../../lib/api.ts';
import { joinSamples } from '../../../lib/join-samples.ts';
import { pollWhileSignedIn } from '../../../lib/queries/polling.ts';

type Detail = DataOf<typeof measurementsApi.detail>;

/**
 * Stream with its diagnosis. Fetches only new samples. Quiet, because the stream list already reports an unreachable
 * server.
 */
export const streamDetailQuery = ({ vhost, app, stream }: WirePlace) =>
  queryOptions({
    queryKey: ['streams', 'detail', vhost, app, stream],
    queryFn: async ({ client: queries, queryKey, signal }): Promise<Detail> => {
      const known = queries.getQueryData<Detail>(queryKey)?.samples;
      const since = known?.at.at(-1) ?? 0;
      const detail = await client.call(measurementsApi.detail, { vhost, app, stream, since }, { signal });
      return { ...detail, samples: joinSamples(known, detail.samples) };
    },
    refetchInterval: pollWhileSignedIn(consoleTimes.healthPollMs),
    meta: { quiet: true },
  });
