import { queryOptions } from '@tanstack/react-query';
import { aiApi, llmApi } from '@weir/contract';
import { client } from '../../lib/api.ts';

export const providerQuery = queryOptions({
  queryKey: ['llm'],
  queryFn: ({ signal }) => client.call(llmApi.query, {}, { signal }),
});

export const modelsQuery = queryOptions({
  queryKey: ['ai', 'models'],
  queryFn: ({ signal }) => client.call(aiApi.models, {}, { signal }),
});

/** What the saved provider lists; asked for when somebody is about to choose. */
export const offeredModelsQuery = queryOptions({
  queryKey: ['ai', 'offered'],
  queryFn: ({ signal }) => client.call(aiApi.providerModels, {}, { signal }),
  retry: false,
  // Without a list a name can be typed.
  meta: { quiet: true },
});

const lookMs = 5000;
const watchMs = 700;

export const usageQuery = queryOptions({
  queryKey: ['ai', 'usage'],
  queryFn: ({ signal }) => client.call(aiApi.usage, {}, { signal }),
  refetchInterval: lookMs,
});

/** Often while something is installed. */
export const localAiQuery = queryOptions({
  queryKey: ['ai', 'local'],
  queryFn: ({ signal }) => client.call(aiApi.local, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.state === 'installing' ? watchMs : lookMs),
});
