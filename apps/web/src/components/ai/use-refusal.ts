import { ApiError } from '@weir/client';
import { useTranslation } from 'react-i18next';
import { isTransient } from '../../lib/api.ts';
import { joinSentences } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import type { OutcomeFacts } from '../ui/feedback/outcome.tsx';
import { parseAiCause } from './parse-ai-cause.ts';

/** Refusals are shown beside the button; an unreachable server is reported above the page. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && !isTransient(error);
}

/** Text for a failed provider call, translated if the cause is known. */
export function useRefusal(): (error: unknown) => OutcomeFacts | undefined {
  const { t } = useTranslation();
  const locale = useLocale();
  return (error) => {
    if (!isRefusal(error)) return undefined;
    const cause = parseAiCause(error);
    const text = cause ? joinSentences([t(`ai.why.${cause}`), t(`ai.remedy.${cause}`)], locale) : error.message;
    return { isGood: false, text };
  };
}
