import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { consoleTimes, timelineApi, timelineLimits } from '@weir/contract';
import type { WirePlace } from '@weir/dialect';
import { client } from '../../lib/api.ts';
import { whileUnheard } from '../../lib/queries/while-signed-in.ts';

/** A broadcast by its id, or the newest of a stream (0). */
interface WhichBroadcast extends WirePlace {
  readonly id: number;
}

export const timelineQuery = (which: WhichBroadcast, isWhole: boolean) =>
  queryOptions({
    queryKey: ['timeline', 'entries', which, isWhole],
    queryFn: ({ signal }) =>
      client.call(
        timelineApi.timeline,
        { ...which, most: isWhole ? timelineLimits.entries : timelineLimits.entriesPage },
        { signal },
      ),
    refetchInterval: whileUnheard(consoleTimes.streamsPollMs),
    placeholderData: keepPreviousData,
  });

/** Of one stream, or of all of them. */
export const broadcastsQuery = (place: WirePlace | undefined, most: number) =>
  queryOptions({
    queryKey: ['timeline', 'broadcasts', place, most],
    queryFn: ({ signal }) => client.call(timelineApi.broadcasts, { ...place, most }, { signal }),
    refetchInterval: whileUnheard(consoleTimes.streamsPollMs),
    placeholderData: keepPreviousData,
  });
