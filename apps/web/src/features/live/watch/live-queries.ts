import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, streamsApi } from '@weir/contract';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { client, isSignInEnded } from '../../../lib/api.ts';

/** The list every screen shares, asked for more often while somebody waits for a stream to appear in it. */
export const watchedStreamsQuery = queryOptions({
  ...streamsQuery,
  refetchInterval: ({ state }) => (isSignInEnded(state.error) ? false : consoleTimes.streamsWatchMs),
});

export const attemptsQuery = queryOptions({
  queryKey: ['publish-attempts'],
  queryFn: ({ signal }) => client.call(streamsApi.attempts, {}, { signal }),
  refetchInterval: ({ state }) => (isSignInEnded(state.error) ? false : consoleTimes.streamsWatchMs),
});
