import { WeirError } from '../../core/errors.ts';
import { OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import type { OutgoingClient, OutgoingPolicy } from '../../core/outgoing/request/outgoing-client.ts';
import type { ProviderRequest } from './provider-check.ts';

/** A model on this machine or network is welcome; redirects are not followed, so that the key goes nowhere else. */
const policy: OutgoingPolicy = {
  ownNetwork: 'allowed',
  verifiesTls: true,
  redirects: 0,
  withinMs: 10_000,
  answerBytes: 1024 * 1024,
};

/** Requests to the provider whose address the administrator typed. */
export function requestProvider(outgoing: OutgoingClient): ProviderRequest {
  return async (url, { method, headers, body, signal }) => {
    try {
      const request = { url, method, headers, ...(body === undefined ? {} : { body }) };
      const answer = await outgoing.send(request, policy, signal);
      return { status: answer.status, text: answer.body.toString('utf8') };
    } catch (cause) {
      if (cause instanceof OutgoingError) throw new WeirError('invalid_input', cause.message, { cause });
      throw cause;
    }
  };
}
