import { queryOptions } from '@tanstack/react-query';
import { overviewApi, overviewTimes } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { mountingMs, whileSignedIn } from '../../../lib/queries/while-signed-in.ts';

/** All streams at a glance, in one call. Quiet: whether the server answers at all is told beside the list of streams. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => client.call(overviewApi.streams, {}, { signal }),
  staleTime: mountingMs,
  refetchInterval: whileSignedIn(overviewTimes.pollMs),
  refetchOnWindowFocus: true,
  meta: { quiet: true },
});
