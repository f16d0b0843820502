import { ApiError } from '@weir/client';
import { DubbingRefusal } from '@weir/contract';
import type { TFunction } from 'i18next';
import { causeOf } from '../../components/ai/cause-of.ts';

/** Why the server did not do something, in the language of the page; undefined: it is for others to say. */
export function refusalText(t: TFunction, error: unknown): string | undefined {
  const cause = causeOf(error);
  if (cause) return t(`ai.why.${cause}`);
  const why = error instanceof ApiError ? error.why : undefined;
  const refusal = why?.kind === 'dubbing' ? DubbingRefusal.safeParse(why.fact).data : undefined;
  return refusal && t(`dubbing.refusal.${refusal}`);
}
