import { queryOptions } from '@tanstack/react-query';
import { streamKeysApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

/** Uses change without an event. */
const pollMs = 3000;

export const streamKeysQuery = queryOptions({
  queryKey: ['stream-keys'],
  queryFn: ({ signal }) => client.call(streamKeysApi.query, {}, { signal }),
  refetchInterval: pollMs,
});
