import { queryOptions } from '@tanstack/react-query';
import { limitsApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => client.call(limitsApi.query, {}, { signal }),
});
