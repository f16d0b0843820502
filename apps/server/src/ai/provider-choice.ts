import type { ProviderChoice } from './ai.ts';

/** Provider fields as rooms, OCR and dubbing steps store and send them. */
interface ProviderFields {
  readonly aiSecretKey: string;
  readonly aiBaseURL: string;
  readonly aiOrganization: string;
}

/** Reads the provider choice from such fields. */
export function toProviderChoice(fields: ProviderFields | null): ProviderChoice {
  const { aiSecretKey: secretKey = '', aiBaseURL: baseURL = '', aiOrganization: organization = '' } = fields ?? {};
  return { secretKey, baseURL, organization };
}
