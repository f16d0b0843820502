import { aiBaseUrlPattern, builtInBaseUrl, isSameHost } from '@weir/contract';

/** An AI provider as a form holds it. */
export interface ProviderFacts {
  readonly secretKey: string;
  readonly baseURL: string;
  readonly organization: string;
}

/** Neither the default one nor built-in AI: only then there is something to fill in, and to test. */
export function hasOwnProvider({ baseURL }: ProviderFacts): boolean {
  return baseURL !== '' && baseURL !== builtInBaseUrl;
}

/** What is wrong with a provider before anybody is asked, and at which field it shows. */
export interface ProviderProblem {
  readonly field: 'secretKey' | 'baseURL';
  readonly text: 'llm.noKey' | 'llm.noUrl' | 'llm.badUrl' | 'llm.keyAgain';
}

/** In the order a person fills the form. `saved` holds the mask of the stored key: it serves its own host only. */
export function providerProblem(
  provider: ProviderFacts,
  saved: ProviderFacts | undefined,
): ProviderProblem | undefined {
  const { secretKey, baseURL } = provider;
  if (secretKey === '') return { field: 'secretKey', text: 'llm.noKey' };
  if (baseURL === '') return { field: 'baseURL', text: 'llm.noUrl' };
  if (!aiBaseUrlPattern.test(baseURL)) return { field: 'baseURL', text: 'llm.badUrl' };
  const isMask = saved !== undefined && saved.secretKey !== '' && secretKey === saved.secretKey;
  if (isMask && !isSameHost(saved.baseURL, baseURL)) return { field: 'secretKey', text: 'llm.keyAgain' };
  return undefined;
}
