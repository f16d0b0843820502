import { type AiProvider, aiBaseUrlPattern, isSameHost } from '@weir/contract';

/** What is wrong with a provider before anybody is asked, and at which field it shows. */
export interface ProviderProblem {
  readonly field: 'aiSecretKey' | 'aiBaseURL';
  readonly text: 'llm.noKey' | 'llm.noUrl' | 'llm.badUrl' | 'llm.keyAgain';
}

/** In the order a person fills the form. `saved` holds the mask of the stored key: it serves its own host only. */
export function providerProblem(provider: AiProvider, saved: AiProvider | undefined): ProviderProblem | undefined {
  const { aiSecretKey, aiBaseURL } = provider;
  if (aiSecretKey === '') return { field: 'aiSecretKey', text: 'llm.noKey' };
  if (aiBaseURL === '') return { field: 'aiBaseURL', text: 'llm.noUrl' };
  if (!aiBaseUrlPattern.test(aiBaseURL)) return { field: 'aiBaseURL', text: 'llm.badUrl' };
  const isMask = saved !== undefined && saved.aiSecretKey !== '' && aiSecretKey === saved.aiSecretKey;
  if (isMask && !isSameHost(saved.aiBaseURL, aiBaseURL)) return { field: 'aiSecretKey', text: 'llm.keyAgain' };
  return undefined;
}
