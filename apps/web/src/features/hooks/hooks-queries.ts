import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, hooksApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { pollUnlessEventsArrive } from '../../lib/queries/polling.ts';

export const hooksQuery = queryOptions({
  queryKey: ['hooks', 'state'],
  queryFn: ({ signal }) => client.call(hooksApi.query, {}, { signal }),
  refetchInterval: pollUnlessEventsArrive(consoleTimes.hooksPollMs),
});

export const deliveriesQuery = queryOptions({
  queryKey: ['hooks', 'deliveries'],
  queryFn: ({ signal }) => client.call(hooksApi.deliveries, {}, { signal }),
  refetchInterval: pollUnlessEventsArrive(consoleTimes.hooksPollMs),
});

/** Common prefix of both query keys: an action changes the state and the list. */
export const hooksKey = ['hooks'];
