import { queryOptions } from '@tanstack/react-query';
import { aiApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import type { ProviderFacts } from './provider-problem.ts';

/** Who would answer with these settings; without them, with the global ones. */
export const answerersQuery = (provider?: ProviderFacts, language = '') =>
  queryOptions({
    queryKey: ['ai', 'answerers', provider ?? null, language],
    queryFn: ({ signal }) => client.call(aiApi.answerers, { ...provider, language }, { signal }),
  });
