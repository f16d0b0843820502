import { queryOptions } from '@tanstack/react-query';
import { tutorialLimits, tutorialsApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

/** Counts are a nicety: when they do not come, the card stands without them, and nobody asks again until the next visit. */
export const videoQuery = (bvid: string) =>
  queryOptions({
    queryKey: ['tutorials', bvid],
    queryFn: ({ signal }) => client.call(tutorialsApi.video, { bvid }, { signal }),
    staleTime: ({ state }) => (state.data ? tutorialLimits.freshMs : 0),
    retry: false,
    meta: { quiet: true },
  });
