import { type HookDelivery, hookLimits } from '@weir/contract';
import type { Tried } from './hook-sender.ts';

/** State of a delivery after an attempt in the background: done, given up, or to be retried after a growing pause. */
export function afterTry(delivery: HookDelivery, { outcome, ...tried }: Tried, nowMs: number): HookDelivery {
  if (outcome === 'stopped') return delivery;
  const attempts = delivery.attempts + 1;
  const next = { ...delivery, ...tried, attempts, nextAt: '' };
  if (outcome === 'delivered') return { ...next, state: 'delivered' };
  const isTooOld = nowMs - Date.parse(delivery.createdAt) >= hookLimits.waitingMs;
  if (isTooOld || (outcome === 'refused' && attempts >= hookLimits.refusals)) return { ...next, state: outcome };
  return { ...next, state: 'waiting', nextAt: new Date(nowMs + pauseMs(attempts)).toISOString() };
}

/** 1, 2, 4, 8, 16, 30, 30 … seconds. */
function pauseMs(attempts: number): number {
  return Math.min(hookLimits.longestRetryMs, hookLimits.firstRetryMs * 2 ** Math.min(20, attempts - 1));
}
