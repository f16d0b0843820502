import { useMutation } from '@tanstack/react-query';
import { type AiTestResult, aiApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../../lib/api.ts';
import type { OutcomeFacts } from '../../ui/feedback/outcome.tsx';
import { isRefusal, useRefusal } from '../use-refusal.ts';
import type { ProviderFacts } from './provider-problem.ts';

/** Tests the provider with the form's values, saved or not. */
export function useProviderTest() {
  const { t } = useTranslation();
  const test = useMutation({
    mutationFn: (provider: ProviderFacts) => client.call(aiApi.test, provider),
    meta: { handles: isRefusal },
  });
  const summary = (results: readonly AiTestResult[]): OutcomeFacts => {
    const works = results.filter((result) => result.works).length;
    const count = results.length;
    if (works === count) return { isGood: true, text: t('llm.testOk') };
    return works > 0
      ? { isGood: false, tone: 'warn', text: t('llm.testSome', { works, count }) }
      : { isGood: false, text: t('llm.testNone') };
  };
  const refusal = useRefusal();
  return { ...test, outcome: test.data ? summary(test.data.results) : refusal(test.error) };
}
