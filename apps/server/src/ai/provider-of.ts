import type { ProviderChoice } from './ai.ts';

/** As rooms, OCR and the steps of dubbing are stored and sent. */
interface ProviderFields {
  readonly aiSecretKey: string;
  readonly aiBaseURL: string;
  readonly aiOrganization: string;
}

/** What such settings say of a provider; where there are none, nothing. */
export function providerOf(fields: ProviderFields | null): ProviderChoice {
  const { aiSecretKey: secretKey = '', aiBaseURL: baseURL = '', aiOrganization: organization = '' } = fields ?? {};
  return { secretKey, baseURL, organization };
}
