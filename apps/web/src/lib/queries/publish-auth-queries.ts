import { queryOptions } from '@tanstack/react-query';
import { publishAuthApi } from '@weir/contract';
import { client } from '../api.ts';
import { mountStaleMs } from './polling.ts';

export const publishAuthQuery = queryOptions({
  queryKey: ['publish-auth'],
  queryFn: ({ signal }) => client.call(publishAuthApi.query, {}, { signal }),
  staleTime: mountStaleMs,
});
