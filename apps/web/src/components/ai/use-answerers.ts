import { useQuery } from '@tanstack/react-query';
import type { AiAnswerer, AiCapability } from '@weir/contract';
import { answerersQuery } from './ai-queries.ts';
import { hasOwnProvider, type ProviderFacts } from './provider/provider-problem.ts';

type Answerers = Readonly<Record<AiCapability, AiAnswerer>>;

/** Who would answer with these settings, saved or not; undefined until it is known. */
export function useAnswerers(provider: ProviderFacts, language = ''): Answerers | undefined {
  const isOwn = hasOwnProvider(provider);
  const { baseURL } = provider;
  const chosen = baseURL === '' ? undefined : { secretKey: '', baseURL, organization: '' };
  const { data } = useQuery({ ...answerersQuery(chosen, language), enabled: !isOwn });
  return isOwn ? ownAnswerers(provider) : data;
}

/** Everything goes to the host that is typed, as soon as it is one. */
function ownAnswerers({ baseURL }: ProviderFacts): Answerers | undefined {
  const host = URL.canParse(baseURL) ? new URL(baseURL).host : '';
  const answerer: AiAnswerer = { by: 'provider', host, cause: null };
  return host === '' ? undefined : { transcribe: answerer, chat: answerer, see: answerer, speak: answerer };
}
