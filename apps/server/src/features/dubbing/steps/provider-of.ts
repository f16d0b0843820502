import type { DubbingAssistant } from '@weir/contract';
import type { ProviderChoice } from '../../../ai/ai.ts';

/** Where a step says nothing of its own, the global provider answers. */
export function providerOf(assistant: DubbingAssistant | null): ProviderChoice {
  const { aiSecretKey = '', aiBaseURL = '', aiOrganization = '' } = assistant ?? {};
  return { secretKey: aiSecretKey, baseURL: aiBaseURL, organization: aiOrganization };
}
