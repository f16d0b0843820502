import { queryOptions } from '@tanstack/react-query';
import { aiApi, llmApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

export const providerQuery = queryOptions({
  queryKey: ['llm'],
  queryFn: ({ signal }) => client.call(llmApi.query, {}, { signal }),
});

const pollMs = 5000;
const installPollMs = 700;

/** Polled faster during an installation. */
export const localAiQuery = queryOptions({
  queryKey: ['ai', 'local'],
  queryFn: ({ signal }) => client.call(aiApi.local, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.progress ? installPollMs : pollMs),
});
