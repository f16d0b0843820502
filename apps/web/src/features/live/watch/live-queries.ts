import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, streamsApi } from '@weir/contract';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { client } from '../../../lib/api.ts';
import { whileUnheard } from '../../../lib/queries/while-signed-in.ts';

/** The list every screen shares, asked for more often while somebody waits for a stream to appear in it. */
export const watchedStreamsQuery = queryOptions({
  ...streamsQuery,
  refetchInterval: whileUnheard(consoleTimes.streamsWatchMs),
});

export const attemptsQuery = queryOptions({
  queryKey: ['publish-attempts'],
  queryFn: ({ signal }) => client.call(streamsApi.attempts, {}, { signal }),
  refetchInterval: whileUnheard(consoleTimes.streamsWatchMs),
});
