import { useQuery } from '@tanstack/react-query';
import type { AiAnswerer, AiCapability } from '@weir/contract';
import { answerersQuery } from './ai-queries.ts';
import { hasOwnProvider, type ProviderFacts } from './provider/provider-problem.ts';

type Answerers = Readonly<Record<AiCapability, AiAnswerer>>;

/** Answering AI for the form's values; undefined while unknown. */
export function useAnswerers(provider: ProviderFacts, language = ''): Answerers | undefined {
  const isOwn = hasOwnProvider(provider);
  const { baseURL } = provider;
  const chosen = baseURL === '' ? undefined : { secretKey: '', baseURL, organization: '' };
  const { data } = useQuery({ ...answerersQuery(chosen, language), enabled: !isOwn });
  return isOwn ? ownAnswerers(provider) : data;
}

/** Requests go to the typed host as soon as it is valid. */
function ownAnswerers({ baseURL }: ProviderFacts): Answerers | undefined {
  const host = URL.canParse(baseURL) ? new URL(baseURL).host : '';
  const answerer: AiAnswerer = { by: 'provider', host, cause: null };
  return host === '' ? undefined : { transcribe: answerer, chat: answerer, see: answerer, speak: answerer };
}
