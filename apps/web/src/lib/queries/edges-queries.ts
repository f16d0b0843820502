import { queryOptions } from '@tanstack/react-query';
import { edgesApi } from '@weir/contract';
import { client } from '../api.ts';

/** Unchecked edges are polled faster. */
const soonMs = 1000;
const usualMs = 10_000;

export const edgesQuery = queryOptions({
  queryKey: ['edges'],
  queryFn: ({ signal }) => client.call(edgesApi.query, {}, { signal }),
  refetchInterval: ({ state: { data } }) => {
    if (!data || data.edges.length === 0) return false;
    return data.edges.some(({ state }) => state === 'unchecked') ? soonMs : usualMs;
  },
});
