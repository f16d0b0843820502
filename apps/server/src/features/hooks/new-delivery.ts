import type { HookDelivery } from '@weir/contract';
import { bodyOf, type HookMessage } from './hook-message.ts';

/** An event that has not been sent to anybody yet. */
export function newDelivery(message: HookMessage, createdAt: string): HookDelivery {
  return {
    request_id: message.requestId,
    action: message.action,
    stream: message.stream,
    state: 'waiting',
    attempts: 0,
    createdAt,
    triedAt: '',
    nextAt: '',
    status: 0,
    tookMs: 0,
    failure: '',
    fact: '',
    said: '',
    error: '',
    req: bodyOf(message, ''),
    res: '',
  };
}
