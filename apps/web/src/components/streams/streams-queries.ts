import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, streamsApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { mountingMs, whileUnheard } from '../../lib/queries/while-signed-in.ts';

export const streamsQuery = queryOptions({
  queryKey: ['streams'],
  queryFn: ({ signal }) => client.call(streamsApi.query, {}, { signal }),
  staleTime: mountingMs,
  refetchInterval: whileUnheard(consoleTimes.streamsPollMs),
  refetchOnWindowFocus: true,
});
