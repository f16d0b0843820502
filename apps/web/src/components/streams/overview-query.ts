import { queryOptions } from '@tanstack/react-query';
import { overviewApi, overviewTimes } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { mountStaleMs, pollWhileSignedIn } from '../../lib/queries/polling.ts';

/** Summary of all streams in one call. Quiet, because the stream list already reports an unreachable server. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => client.call(overviewApi.streams, {}, { signal }),
  staleTime: mountStaleMs,
  refetchInterval: pollWhileSignedIn(overviewTimes.pollMs),
  refetchOnWindowFocus: true,
  meta: { quiet: true },
});
