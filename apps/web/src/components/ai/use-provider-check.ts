import { useMutation } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { llmApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client, isPassing } from '../../lib/api.ts';
import type { OutcomeFacts } from '../ui/feedback/outcome.tsx';
import type { ProviderFacts } from './provider-problem.ts';

/** Asks the provider of a feature with what its form holds, saved or not: by the call that all such forms of the specification have. */
export function useProviderCheck() {
  const { t } = useTranslation();
  const check = useMutation({
    mutationFn: ({ secretKey, baseURL }: ProviderFacts) => client.call(llmApi.check, { secretKey, baseURL }),
    meta: { handles: isRefusal },
  });
  const bad = isRefusal(check.error) ? { isGood: false, text: check.error.message } : undefined;
  const outcome: OutcomeFacts | undefined = check.isSuccess ? { isGood: true, text: t('transcript.testOk') } : bad;
  return { ...check, outcome };
}

/** What the provider said no to is told beside the button; that nobody answers, above the page. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && !isPassing(error);
}
