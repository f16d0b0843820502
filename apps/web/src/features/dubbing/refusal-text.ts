import { ApiError } from '@weir/client';
import { DubbingRefusal } from '@weir/contract';
import type { TFunction } from 'i18next';
import { parseAiCause } from '../../components/ai/parse-ai-cause.ts';

/** Translates why the server refused; undefined for failures shown elsewhere. */
export function refusalText(t: TFunction, error: unknown): string | undefined {
  const cause = parseAiCause(error);
  if (cause) return t(`ai.why.${cause}`);
  const why = error instanceof ApiError ? error.why : undefined;
  const refusal = why?.kind === 'dubbing' ? DubbingRefusal.safeParse(why.fact).data : undefined;
  return refusal && t(`dubbing.refusal.${refusal}`);
}
