import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, streamsApi } from '@weir/contract';
import { client, isSignInEnded } from '../../lib/api.ts';

export const streamsQuery = queryOptions({
  queryKey: ['streams'],
  queryFn: ({ signal }) => client.call(streamsApi.query, {}, { signal }),
  refetchInterval: ({ state }) => (isSignInEnded(state.error) ? false : consoleTimes.streamsPollMs),
  refetchOnWindowFocus: true,
});
