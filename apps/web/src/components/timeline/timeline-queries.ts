import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { consoleTimes, timelineApi, timelineLimits } from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import { client } from '../../lib/api.ts';
import { pollUnlessEventsArrive } from '../../lib/queries/polling.ts';

/** Broadcast by id, or the newest of a stream (0). */
interface BroadcastRef extends WirePlace {
  readonly id: number;
}

export const timelineQuery = (which: BroadcastRef, isWhole: boolean) =>
  queryOptions({
    queryKey: ['timeline', 'entries', which, isWhole],
    queryFn: ({ signal }) =>
      client.call(
        timelineApi.timeline,
        { ...which, most: isWhole ? timelineLimits.entries : timelineLimits.entriesPage },
        { signal },
      ),
    refetchInterval: pollUnlessEventsArrive(consoleTimes.streamsPollMs),
    placeholderData: keepPreviousData,
  });

/** Broadcasts of one or all streams. */
export const broadcastsQuery = (place: WirePlace | undefined, most: number) =>
  queryOptions({
    queryKey: ['timeline', 'broadcasts', place, most],
    queryFn: ({ signal }) => client.call(timelineApi.broadcasts, { ...place, most }, { signal }),
    refetchInterval: pollUnlessEventsArrive(consoleTimes.streamsPollMs),
    placeholderData: keepPreviousData,
  });
