import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, streamsApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { whileSignedIn } from '../../lib/queries/while-signed-in.ts';

export const streamsQuery = queryOptions({
  queryKey: ['streams'],
  queryFn: ({ signal }) => client.call(streamsApi.query, {}, { signal }),
  refetchInterval: whileSignedIn(consoleTimes.streamsPollMs),
  refetchOnWindowFocus: true,
});
