import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { transcriptSearchApi } from '@weir/contract';
import { client } from '../../../lib/api.ts';

/** Newest first; what was found for the last words stays on the screen until the next is there. */
export const transcriptSearchQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: ['words', query],
    queryFn: ({ pageParam, signal }) =>
      client.call(transcriptSearchApi.search, pageParam === undefined ? { query } : { query, before: pageParam }, {
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ hits, more }) => (more ? hits.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    // Streams go on, and so does what is said in them.
    staleTime: 10_000,
    gcTime: 60_000,
    meta: { quiet: true },
  });
