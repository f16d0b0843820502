import { OutgoingError, type OutgoingFailure } from '../../core/outgoing/outgoing-error.ts';
import type { OutgoingClient, OutgoingPolicy, OutgoingRequest } from '../../core/outgoing/request/outgoing-client.ts';
import { AiError, type ProviderChoice } from '../ai.ts';
import type { WireRequest, WireTarget } from './wire-target.ts';

/** A provider whose base URL the administrator typed. A model in the own network is welcome; redirects are not followed, so that the key goes nowhere else. */
export function remoteTarget(outgoing: OutgoingClient, provider: ProviderChoice): WireTarget {
  const ask = ({ method, path, headers, body }: WireRequest): OutgoingRequest => ({
    url: provider.baseURL.replace(/\/+$/, '') + path,
    method,
    headers: { accept: 'application/json', ...credentials(provider), ...headers },
    ...(body !== undefined && { body }),
  });
  return {
    async send(request, signal) {
      const { status, headers, body } = await outgoing.send(ask(request), policy(request), signal).catch(asAiError);
      return { status, retryAfter: headers['retry-after'], body };
    },
    async stream(request, signal) {
      const { status, headers, body } = await outgoing.stream(ask(request), policy(request), signal).catch(asAiError);
      return { status, retryAfter: headers['retry-after'], type: headers['content-type'] ?? '', body: told(body) };
    },
  };
}

function policy({ withinMs, answerBytes }: WireRequest): OutgoingPolicy {
  return { ownNetwork: 'allowed', verifiesTls: true, redirects: 0, withinMs, answerBytes, keepsConnection: true };
}

function credentials({ secretKey, organization }: ProviderChoice): Record<string, string> {
  return {
    ...(secretKey !== '' && { authorization: `Bearer ${secretKey}` }),
    ...(organization !== '' && { 'openai-organization': organization }),
  };
}

async function* told(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* body;
  } catch (error) {
    asAiError(error);
  }
}

const causes = {
  'bad-url': 'forbidden-address',
  'forbidden-address': 'forbidden-address',
  'own-network': 'forbidden-address',
  'unknown-name': 'unreachable',
  'no-connection': 'unreachable',
  'bad-certificate': 'bad-certificate',
  timeout: 'timeout',
  redirect: 'refused',
  'too-large': 'bad-answer',
  stopped: 'stopped',
} as const satisfies Record<OutgoingFailure, string>;

/** Throws a failed request as an `AiError`. */
function asAiError(error: unknown): never {
  if (error instanceof OutgoingError) throw new AiError(causes[error.failure], error.message);
  throw error;
}
