import { WeirError } from '../../core/errors.ts';

/** What this feature needs of whoever makes requests to other machines. Rejects with a sentence fit to be shown. */
export type ProviderRequest = (
  url: string,
  options: {
    readonly method: 'GET' | 'POST';
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly status: number; readonly text: string }>;

const withinMs = 15_000;

/** Both kinds of work that features give to a provider, once: it knows the speech model, and it talks. */
export async function checkProvider(
  { key, url }: { key: string; url: string },
  request: ProviderRequest,
): Promise<void> {
  const base = url.replace(/\/+$/, '');
  const signal = AbortSignal.timeout(withinMs);
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json' };
  const ask = async (what: string, path: string, body?: object) => {
    const { status } = await request(base + path, {
      method: body ? 'POST' : 'GET',
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body && { body: JSON.stringify(body) }),
      signal,
    }).catch((cause: unknown) => {
      const reason = cause instanceof WeirError ? cause.message : 'no answer';
      throw new WeirError('invalid_input', `${what}: ${reason}`, { cause });
    });
    if (status < 200 || status > 299) throw new WeirError('invalid_input', `${what}: ${explain(status)}`);
  };
  await ask('query model whisper-1', '/models/whisper-1');
  await ask('create chat', '/chat/completions', {
    model: 'gpt-3.5-turbo',
    messages: [{ role: 'user', content: 'Hello!' }],
    max_tokens: 50,
  });
}

/** In our words: an answer of somebody else's may repeat the key. */
function explain(status: number): string {
  if (status === 401 || status === 403) return `the provider rejected the secret key (${status})`;
  if (status === 404) return 'the provider does not offer this URL or model (404)';
  if (status === 429) return 'the rate limit or quota of the provider is exceeded (429)';
  return `the provider responded with status ${status}`;
}
