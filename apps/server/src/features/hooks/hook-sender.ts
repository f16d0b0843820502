import { type HookDelivery, hookLimits, hookSignatureHeader } from '@weir/contract';
import type { Log } from '@weir/plane';
import { bodySignature } from '../../core/body-signature.ts';
import type { Clock } from '../../core/clock.ts';
import { OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { judgeAnswer } from './hook-answer.ts';
import type { HooksRepository } from './hooks-repository.ts';

interface Context {
  readonly hooks: HooksRepository;
  readonly outgoing: OutgoingClient;
  readonly log: Log;
  readonly clock: Clock;
}

/** Result of one attempt: the part of a delivery that changes with each. */
export type Tried = Pick<
  HookDelivery,
  'req' | 'res' | 'status' | 'failure' | 'fact' | 'said' | 'error' | 'tookMs' | 'triedAt'
> & {
  readonly outcome: 'delivered' | 'refused' | 'failed' | 'stopped';
};

/** Asks the receiver once. */
export class HookSender {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Sends `req` with the opaque text and the key of this moment. Does not throw for what a receiver does. */
  async send(
    { req, action, request_id }: Pick<HookDelivery, 'req' | 'action' | 'request_id'>,
    { withinMs = hookLimits.answerWithinMs, signal }: { withinMs?: number; signal?: AbortSignal } = {},
  ): Promise<Tried> {
    const { hooks, outgoing, log, clock } = this.#context;
    const [settings, secret] = await Promise.all([hooks.settings(), hooks.secret()]);
    const body = JSON.stringify({ ...JSON.parse(req), opaque: settings.opaque });
    const startedMs = clock.dateMs();
    const facts = () => ({ req: body, tookMs: clock.dateMs() - startedMs, triedAt: new Date(startedMs).toISOString() });
    try {
      const answer = await outgoing.send(
        {
          url: settings.target,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Weir',
            [hookSignatureHeader]: bodySignature(secret, body, startedMs),
          },
          body,
        },
        {
          ownNetwork: settings.ownNetwork ? 'allowed' : 'typed',
          verifiesTls: settings.verifyTls,
          redirects: 0,
          withinMs,
          answerBytes: hookLimits.answerBytes,
        },
        signal,
      );
      const { isAccepted, ...said } = judgeAnswer(answer.status, answer.body);
      if (!isAccepted) log.warn({ action, requestId: request_id, status: answer.status }, 'callback refused');
      return { ...facts(), ...said, status: answer.status, outcome: isAccepted ? 'delivered' : 'refused' };
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      const { failure, fact, message } = error;
      const nothing = { ...facts(), status: 0, res: '', said: '' };
      if (failure === 'stopped') return { ...nothing, failure: '', fact: '', error: '', outcome: 'stopped' };
      log.warn({ action, requestId: request_id, reason: message }, 'callback failed');
      return { ...nothing, failure, fact, error: message, outcome: 'failed' };
    }
  }
}
