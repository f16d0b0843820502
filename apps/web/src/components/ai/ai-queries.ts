import { queryOptions } from '@tanstack/react-query';
import { aiApi, transcriptApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import type { ProviderFacts } from './provider/provider-problem.ts';

/** Who would answer with these settings; without them, with the global ones. */
export const answerersQuery = (provider?: ProviderFacts, language = '') =>
  queryOptions({
    queryKey: ['ai', 'answerers', provider ?? null, language],
    queryFn: ({ signal }) => client.call(aiApi.answerers, { ...provider, language }, { signal }),
  });

/** Without a list a name can be typed. */
const typedOtherwise = { retry: false, meta: { quiet: true } } as const;

/** What a provider lists, or the saved one; asked for when somebody is about to choose. */
export const offeredModelsQuery = (provider?: ProviderFacts) =>
  queryOptions({
    queryKey: ['ai', 'offered', provider ?? null],
    queryFn: ({ signal }) => client.call(aiApi.providerModels, { ...provider }, { signal }),
    ...typedOtherwise,
  });

/** What a provider lists of its voices; most list none. */
export const offeredVoicesQuery = (provider: ProviderFacts) =>
  queryOptions({
    queryKey: ['ai', 'offered', 'voices', provider],
    queryFn: ({ signal }) => client.call(aiApi.providerVoices, provider, { signal }),
    ...typedOtherwise,
  });

/** Voices of this server, known once built-in AI has run. */
export const builtInVoicesQuery = queryOptions({
  queryKey: ['ai', 'voices'],
  queryFn: async ({ signal }) =>
    (await client.call(aiApi.local, {}, { signal })).models.filter(({ kind }) => kind === 'voice'),
});

/** What is asked for where nobody says otherwise. */
export const modelsQuery = queryOptions({
  queryKey: ['ai', 'models'],
  queryFn: ({ signal }) => client.call(aiApi.models, {}, { signal }),
});

/** What was asked today, and how much may be. */
export const usageQuery = queryOptions({
  queryKey: ['ai', 'usage'],
  queryFn: ({ signal }) => client.call(aiApi.usage, {}, { signal }),
  refetchInterval: 5000,
});

/** Those that people speak in. */
export const languagesQuery = queryOptions({
  queryKey: ['languages'],
  queryFn: ({ signal }) => client.call(transcriptApi.languages, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
