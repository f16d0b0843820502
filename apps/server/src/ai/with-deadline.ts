import type { Clock } from '../core/clock.ts';
import { AiError } from './ai.ts';

/** Limits the time of a request including its retries, even if the request ignores the signal. */
export async function withDeadline<T>(
  { clock, ms, signal: outer }: { readonly clock: Clock; readonly ms: number; readonly signal: AbortSignal },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  const signal = AbortSignal.any([outer, late.signal]);
  clock.pause(ms, done.signal).then(
    () => late.abort(new AiError('timeout', 'AI did not answer in time')),
    () => undefined,
  );
  const given = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([ask(signal), given]);
  } finally {
    done.abort();
  }
}
