import { queryOptions } from '@tanstack/react-query';
import { contactApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

export const contactQuery = queryOptions({
  queryKey: ['contact'],
  queryFn: ({ signal }) => client.call(contactApi.query, {}, { signal }),
  staleTime: 60_000,
});
