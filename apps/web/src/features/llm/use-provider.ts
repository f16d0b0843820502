import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AiProvider, llmApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { providerQuery } from './llm-queries.ts';

export function useSaveProvider(onSaved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (provider: AiProvider) => client.call(llmApi.update, provider),
    onSuccess: async () => {
      // The mask of a new key is the server's to make.
      await queries.invalidateQueries(providerQuery);
      onSaved();
      notify.success(t('helper.setOk'));
    },
  });
}

/** Asks the provider with what the form holds, saved or not. */
export function useProviderCheck() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: ({ aiSecretKey, aiBaseURL }: AiProvider) =>
      client.call(llmApi.check, { secretKey: aiSecretKey, baseURL: aiBaseURL }),
    onSuccess: () => notify.success(t('llm.testOk')),
  });
}
