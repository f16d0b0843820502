import { ApiError } from '@weir/client';
import { AiCause } from '@weir/contract';

/** Cause of a refused AI call, if the server's error contains one. */
export function parseAiCause(error: unknown): AiCause | undefined {
  const why = error instanceof ApiError ? error.why : undefined;
  return why?.kind === 'ai' ? AiCause.safeParse(why.fact).data : undefined;
}
