import { queryOptions } from '@tanstack/react-query';
import { certs, certsApi, consoleTimes } from '@weir/contract';
import { client, isSignInEnded } from '../../lib/api.ts';
import { slowPollWhileConnected } from '../../lib/events/event-feed-state.ts';

export const pairQuery = queryOptions({
  queryKey: ['certs', 'pair'],
  queryFn: ({ signal }) => client.call(certsApi.query, {}, { signal }),
});

export const certStatusQuery = queryOptions({
  queryKey: ['certs', 'status'],
  queryFn: ({ signal }) => client.call(certsApi.status, {}, { signal }),
  refetchInterval: ({ state }) => {
    if (isSignInEnded(state.error)) return false;
    return state.data?.order.state === 'running'
      ? certs.orderPollMs
      : slowPollWhileConnected(consoleTimes.statusPollMs);
  },
});

/** Ordering and uploading a certificate exclude each other. */
export const certsMutation = ['certs'];
