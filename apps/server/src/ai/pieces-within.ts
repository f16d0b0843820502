import type { Clock } from '../core/clock.ts';
import { AiError } from './ai.ts';

/** The pieces of an answer, as long as none of them is waited for any longer than that: neither the first, tries included, nor a later one. */
export async function* piecesWithin(
  { clock, ms, signal: outer }: { readonly clock: Clock; readonly ms: number; readonly signal: AbortSignal },
  ask: (signal: AbortSignal) => AsyncIterable<string>,
): AsyncGenerator<string, void> {
  const late = new AbortController();
  const pieces = ask(AbortSignal.any([outer, late.signal]))[Symbol.asyncIterator]();
  try {
    for (;;) {
      const came = new AbortController();
      clock.pause(ms, came.signal).then(
        () => late.abort(new AiError('timeout', 'AI did not answer in time')),
        () => undefined,
      );
      const next = await pieces.next().finally(() => came.abort());
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw late.signal.aborted && !outer.aborted ? late.signal.reason : error;
  } finally {
    await pieces.return?.();
  }
}
