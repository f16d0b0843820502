import { queryOptions } from '@tanstack/react-query';
import { ladderApi, ladderRuleLimits } from '@weir/contract';
import { client } from '../../../lib/api.ts';

export const ladderKey = ['ladder'] as const;

export const laddersQuery = queryOptions({
  queryKey: ['ladder', 'rules'],
  queryFn: ({ signal }) => client.call(ladderApi.query, {}, { signal }),
  // Bitrates and states change while somebody looks, and no event tells of them.
  refetchInterval: ladderRuleLimits.pollMs,
});

/** The first call takes seconds: the server encodes with each. */
export const encodersQuery = queryOptions({
  queryKey: ['ladder-encoders'],
  queryFn: ({ signal }) => client.call(ladderApi.encoders, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
