import * as z from 'zod';
import { post } from '../endpoint.ts';
import { isPlainUrl } from '../plain-url.ts';

const longest = 512;

/** HTTP(S) URL without credentials, which would be sent and shown with every call. */
const AiBaseUrl = z
  .string()
  .min(1)
  .max(longest)
  .refine(isPlainUrl, 'must be an http or https URL without a user name, query or fragment');

/** Expected form of a typed URL: the version is part of it and easily forgotten. */
export const aiBaseUrlPattern = /^(http|https):\/\/.+(\/v1)$/;

const AiKey = z
  .string()
  .min(1)
  .max(longest)
  .refine((key) => /^[\x21-\x7e\u2022]+$/.test(key), 'must contain only ASCII characters and no spaces');

/** AI provider. `aiSecretKey` is returned masked; sending the mask back keeps the key. */
export const AiProvider = z.object({
  aiSecretKey: z.string(),
  aiBaseURL: z.string(),
  aiOrganization: z.string(),
});
export type AiProvider = z.infer<typeof AiProvider>;

const checked = 'Test the AI provider with its speech model and one short answer; nothing is saved';

export const llmApi = {
  query: post('/terraform/v1/mgmt/openai/query', {
    summary: 'Get the AI provider, with a masked key',
    data: AiProvider,
  }),
  update: post('/terraform/v1/mgmt/openai/update', {
    summary: 'Set the AI provider; the masked key keeps the stored one unless the host changes',
    body: z.object({
      aiSecretKey: AiKey,
      aiBaseURL: AiBaseUrl,
      aiOrganization: z.string().max(longest).default(''),
    }),
    data: z.null(),
  }),
  remove: post('/terraform/v1/mgmt/openai/remove', {
    summary: 'Remove the AI provider with its key and models; built-in AI answers from then on, where it can',
    data: z.null(),
  }),
  check: post('/terraform/v1/ai/transcript/check', {
    summary: checked,
    body: z.object({ secretKey: AiKey, baseURL: AiBaseUrl }),
    data: z.null(),
  }),
  checkOcr: post('/terraform/v1/ai/ocr/check', {
    summary: checked,
    body: z.object({ aiSecretKey: AiKey, aiBaseURL: AiBaseUrl }),
    data: z.null(),
  }),
} as const;

/** A key is bound to the host it was entered for and sent to no other. */
export function isSameHost(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
