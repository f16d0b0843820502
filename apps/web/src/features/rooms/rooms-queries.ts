import { queryOptions } from '@tanstack/react-query';
import { roomApi } from '@weir/contract';
import { client, isSignInEnded } from '../../lib/api.ts';

/** What all of them begin with. */
export const roomsKey = ['rooms'];
const pollMs = 3000;

export const roomsQuery = queryOptions({
  queryKey: ['rooms', 'list'],
  queryFn: ({ signal }) => client.call(roomApi.list, {}, { signal }),
  refetchInterval: ({ state: { error } }) => (isSignInEnded(error) ? false : pollMs),
});

export const roomQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['rooms', 'one', uuid],
    queryFn: ({ signal }) => client.call(roomApi.query, { uuid }, { signal }),
  });
