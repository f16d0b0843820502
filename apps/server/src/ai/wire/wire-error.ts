import * as z from 'zod';
import { AiError } from '../ai.ts';

const ErrorAnswer = z.object({
  error: z.object({ code: z.string().nullish(), type: z.string().nullish() }),
});

interface Refusal {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Translates a refusal into our words, because the provider's text may repeat the key. */
export function toAiError({ status, retryAfter }: Refusal, body: Buffer): AiError {
  const afterMs = retryAfterMs(retryAfter);
  const { code, type } = detailsOf(body);
  if (status === 401 || status === 403) {
    return new AiError('bad-key', `the provider rejected the secret key (${status})`);
  }
  if (code === 'unsupported_language') {
    return new AiError('unsupported-language', 'the model does not support this language');
  }
  if (status === 404 || code === 'model_not_found') {
    return new AiError('no-model', `the provider does not offer this URL or model (${status})`);
  }
  if (status === 402 || code === 'insufficient_quota' || type === 'insufficient_quota') {
    return new AiError('quota', `the quota of the provider account is used up (${status})`);
  }
  if (status === 429) return new AiError('busy', 'the rate limit or quota of the provider is exceeded (429)', afterMs);
  if (status === 408 || status === 409 || status === 425) {
    return new AiError('busy', `the provider responded with status ${status}`, afterMs);
  }
  if (status >= 500) return new AiError('provider-error', `the provider responded with status ${status}`, afterMs);
  return new AiError('refused', `the provider responded with status ${status}`);
}

function detailsOf(body: Buffer): { code?: string | null | undefined; type?: string | null | undefined } {
  try {
    return ErrorAnswer.parse(JSON.parse(body.toString('utf8'))).error;
  } catch {
    return {};
  }
}

/** RFC 9110, 10.2.3, in seconds; nobody we ask gives a date. */
function retryAfterMs(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) * 1000 : undefined;
}
