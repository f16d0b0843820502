import { queryOptions, useQuery } from '@tanstack/react-query';
import { consoleTimes, streamsApi } from '@weir/contract';
import { useStreamName } from '../../components/streams/stream-name.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { client } from '../../lib/api.ts';
import { pollUnlessEventsArrive } from '../../lib/queries/polling.ts';
import { watchState } from './watch-state.ts';

/** Shared stream list, polled faster while the user waits for a stream. */
const watchedStreamsQuery = queryOptions({
  ...streamsQuery,
  refetchInterval: pollUnlessEventsArrive(consoleTimes.streamsWatchMs),
});

const attemptsQuery = queryOptions({
  queryKey: ['publish-attempts'],
  queryFn: ({ signal }) => client.call(streamsApi.attempts, {}, { signal }),
  refetchInterval: pollUnlessEventsArrive(consoleTimes.streamsWatchMs),
});

/** State of this browser's stream, and how fresh it is. */
export function useStreamWatch() {
  const name = useStreamName();
  const streams = useQuery(watchedStreamsQuery);
  const attempts = useQuery(attemptsQuery);
  const state = watchState({
    streams: streams.data?.streams,
    ended: streams.data?.ended,
    attempts: attempts.data?.attempts ?? [],
    app: 'live',
    name,
  });
  return { name, state, freshness: streams };
}
