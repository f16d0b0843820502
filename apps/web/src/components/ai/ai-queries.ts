import { queryOptions } from '@tanstack/react-query';
import { aiApi, transcriptApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import type { ProviderFacts } from './provider/provider-problem.ts';

/** Answering AI for the given settings, or for the global ones. */
export const answerersQuery = (provider?: ProviderFacts, language = '') =>
  queryOptions({
    queryKey: ['ai', 'answerers', provider ?? null, language],
    queryFn: ({ signal }) => client.call(aiApi.answerers, { ...provider, language }, { signal }),
  });

/** Optional lists: users can type a name instead. */
const typedOtherwise = { retry: false, meta: { quiet: true } } as const;

/** Models of the given or saved provider, fetched when a user opens the field. */
export const offeredModelsQuery = (provider?: ProviderFacts) =>
  queryOptions({
    queryKey: ['ai', 'offered', provider ?? null],
    queryFn: ({ signal }) => client.call(aiApi.providerModels, { ...provider }, { signal }),
    ...typedOtherwise,
  });

/** Voices of a provider; most offer no list. */
export const offeredVoicesQuery = (provider: ProviderFacts) =>
  queryOptions({
    queryKey: ['ai', 'offered', 'voices', provider],
    queryFn: ({ signal }) => client.call(aiApi.providerVoices, provider, { signal }),
    ...typedOtherwise,
  });

/** Built-in voices, known once built-in AI has run. */
export const builtInVoicesQuery = queryOptions({
  queryKey: ['ai', 'voices'],
  queryFn: async ({ signal }) =>
    (await client.call(aiApi.local, {}, { signal })).models.filter(({ kind }) => kind === 'voice'),
});

/** Default models. */
export const modelsQuery = queryOptions({
  queryKey: ['ai', 'models'],
  queryFn: ({ signal }) => client.call(aiApi.models, {}, { signal }),
});

/** Usage of today and its limits. */
export const usageQuery = queryOptions({
  queryKey: ['ai', 'usage'],
  queryFn: ({ signal }) => client.call(aiApi.usage, {}, { signal }),
  refetchInterval: 5000,
});

/** Languages of speech. */
export const languagesQuery = queryOptions({
  queryKey: ['languages'],
  queryFn: ({ signal }) => client.call(transcriptApi.languages, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
