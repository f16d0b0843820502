import { queryOptions } from '@tanstack/react-query';
import { rewindApi, rewindLimits } from '@weir/contract';
import { client } from '../../../lib/api.ts';

export const rewindKey = ['rewind'] as const;

export const rewindQuery = queryOptions({
  queryKey: ['rewind', 'rules'],
  queryFn: ({ signal }) => client.call(rewindApi.query, {}, { signal }),
  // Windows grow while somebody looks, and no event tells of them.
  refetchInterval: rewindLimits.pollMs,
});
