import { queryOptions } from '@tanstack/react-query';
import { roomsApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { pollUnlessEventsArrive, pollWhileSignedIn } from '../../lib/queries/polling.ts';

/** Common prefix of all room query keys. */
export const roomsKey = ['rooms'];
const pollMs = 3000;

export const roomsQuery = queryOptions({
  queryKey: ['rooms', 'list'],
  queryFn: ({ signal }) => client.call(roomsApi.list, {}, { signal }),
  refetchInterval: pollUnlessEventsArrive(pollMs),
});

/** Rooms with guests in them. Guests come and go without an event. */
export const roomGuestsQuery = queryOptions({
  queryKey: ['rooms', 'guests'],
  queryFn: ({ signal }) => client.call(roomsApi.guests, {}, { signal }),
  refetchInterval: pollWhileSignedIn(pollMs),
});

/** Today's messages in one room. */
export const roomUsageQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['rooms', 'usage', uuid],
    queryFn: ({ signal }) => client.call(roomsApi.usage, { uuid }, { signal }),
    refetchInterval: pollUnlessEventsArrive(pollMs),
  });

export const roomQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['rooms', 'one', uuid],
    queryFn: ({ signal }) => client.call(roomsApi.query, { uuid }, { signal }),
  });
