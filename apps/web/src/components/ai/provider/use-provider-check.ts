import { useMutation } from '@tanstack/react-query';
import { llmApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../../lib/api.ts';
import type { OutcomeFacts } from '../../ui/feedback/outcome.tsx';
import { isRefusal, useRefusal } from '../use-refusal.ts';
import type { ProviderFacts } from './provider-problem.ts';

/** Asks the provider of a feature with what its form holds, saved or not: by the call that all such forms of the specification have. */
export function useProviderCheck() {
  const { t } = useTranslation();
  const check = useMutation({
    mutationFn: ({ secretKey, baseURL }: ProviderFacts) => client.call(llmApi.check, { secretKey, baseURL }),
    meta: { handles: isRefusal },
  });
  const refusal = useRefusal();
  const outcome: OutcomeFacts | undefined = check.isSuccess
    ? { isGood: true, text: t('transcript.testOk') }
    : refusal(check.error);
  return { ...check, outcome };
}
