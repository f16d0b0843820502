import { queryOptions } from '@tanstack/react-query';
import { overviewApi, overviewTimes } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { mountingMs, whileSignedIn } from '../../../lib/queries/while-signed-in.ts';

/** Summary of all streams in one call. Quiet, because the stream list already reports an unreachable server. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => client.call(overviewApi.streams, {}, { signal }),
  staleTime: mountingMs,
  refetchInterval: whileSignedIn(overviewTimes.pollMs),
  refetchOnWindowFocus: true,
  meta: { quiet: true },
});
