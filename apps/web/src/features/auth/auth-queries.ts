import { queryOptions } from '@tanstack/react-query';
import { authApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

export const initStateQuery = queryOptions({
  queryKey: ['init'],
  queryFn: ({ signal }) => client.call(authApi.initState, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { quiet: true },
});
