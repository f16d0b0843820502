import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, hooksApi } from '@weir/contract';
import { client, isSignInEnded } from '../../lib/api.ts';

export const hooksQuery = queryOptions({
  queryKey: ['hooks', 'state'],
  queryFn: ({ signal }) => client.call(hooksApi.query, {}, { signal }),
  refetchInterval: ({ state }) => (isSignInEnded(state.error) ? false : consoleTimes.hooksPollMs),
});

export const deliveriesQuery = queryOptions({
  queryKey: ['hooks', 'deliveries'],
  queryFn: ({ signal }) => client.call(hooksApi.deliveries, {}, { signal }),
  refetchInterval: ({ state }) => (isSignInEnded(state.error) ? false : consoleTimes.hooksPollMs),
});

/** What both of them begin with: an action here changes the state and the list. */
export const hooksKey = ['hooks'];
