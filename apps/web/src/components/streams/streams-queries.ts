import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, streamsApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { mountStaleMs, pollUnlessEventsArrive } from '../../lib/queries/polling.ts';

export const streamsQuery = queryOptions({
  queryKey: ['streams'],
  queryFn: ({ signal }) => client.call(streamsApi.query, {}, { signal }),
  staleTime: mountStaleMs,
  refetchInterval: pollUnlessEventsArrive(consoleTimes.streamsPollMs),
  refetchOnWindowFocus: true,
});
