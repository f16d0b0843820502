import { queryOptions } from '@tanstack/react-query';
import { llmApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

export const providerQuery = queryOptions({
  queryKey: ['llm'],
  queryFn: ({ signal }) => client.call(llmApi.query, {}, { signal }),
});
