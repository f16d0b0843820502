import { ApiError } from '@weir/client';
import { AiCause } from '@weir/contract';

/** Why AI would not answer, where a refusal of the server says it. */
export function parseAiCause(error: unknown): AiCause | undefined {
  const why = error instanceof ApiError ? error.why : undefined;
  return why?.kind === 'ai' ? AiCause.safeParse(why.fact).data : undefined;
}
