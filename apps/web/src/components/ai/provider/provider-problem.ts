import { aiBaseUrlPattern, builtInBaseUrl, isSameHost } from '@weir/contract';

/** AI provider as form fields. */
export interface ProviderFacts {
  readonly secretKey: string;
  readonly baseURL: string;
  readonly organization: string;
}

/** True for an own provider; the others have nothing to fill in or test. */
export function hasOwnProvider({ baseURL }: ProviderFacts): boolean {
  return baseURL !== '' && baseURL !== builtInBaseUrl;
}

/** Problem found before any call, and its field. */
export interface ProviderProblem {
  readonly field: 'secretKey' | 'baseURL';
  readonly text: 'llm.noKey' | 'llm.noUrl' | 'llm.badUrl' | 'llm.keyAgain';
}

/** Checks in the order of the form. `saved` contains the masked key, which is valid for its own host only. */
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
