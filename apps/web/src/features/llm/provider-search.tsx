import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AiFoundProvider, aiApi, llmApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { anyKey } from '../../components/ai/provider/provider-fields.tsx';
import { TestResults } from '../../components/ai/provider/test-results.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { client } from '../../lib/api.ts';
import { chatModels, guessModels } from './guess-models.ts';
import { providerQuery } from './llm-queries.ts';

/** Finds AI servers on this machine, and saves and tests the chosen one. */
export function ProviderSearch() {
  const { t } = useTranslation();
  const search = useMutation({ mutationFn: () => client.call(aiApi.findProviders, {}) });
  const found = search.data?.found;
  return (
    <Stack gap="sm" mb="md" maw={560}>
      <Group justify="space-between" align="center" gap="md">
        <Text size="sm" c="dimmed" flex="1 1 16rem">
          {t('llm.find.help')}
        </Text>
        <Button variant="default" loading={search.isPending} onClick={() => search.mutate()}>
          {t('llm.find.button')}
        </Button>
      </Group>
      {found?.length === 0 && (
        <Notice tone="info" title={t('llm.find.nothing')}>
          {t('llm.find.nothingText')}
        </Notice>
      )}
      {found?.map((provider) => (
        <FoundProvider key={provider.baseURL} provider={provider} />
      ))}
    </Stack>
  );
}

function FoundProvider({ provider: { preset, baseURL, models } }: { provider: AiFoundProvider }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const offered = chatModels(models);
  const [chat, setChat] = useState(offered[0] ?? '');
  const name = t(`llm.presets.${preset}`);
  const use = useMutation({
    mutationFn: async () => {
      await client.call(llmApi.update, { aiSecretKey: anyKey, aiBaseURL: baseURL, aiOrganization: '' });
      await client.call(aiApi.updateModels, guessModels(models, chat));
      return client.call(aiApi.test, {});
    },
    onSettled: () =>
      Promise.all([queries.invalidateQueries(providerQuery), queries.invalidateQueries({ queryKey: ['ai'] })]),
  });
  return (
    <Stack gap="xs" role="group" aria-label={name}>
      <Text size="sm" fw={500}>
        {name}{' '}
        <Text span c="dimmed" ff="monospace" size="sm">
          {baseURL}
        </Text>
      </Text>
      {models.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('llm.find.noModels')}
        </Text>
      ) : (
        <Group align="flex-end" gap="sm">
          <NativeSelect
            flex="1 1 14rem"
            label={t('llm.find.chatModel')}
            data={offered}
            value={chat}
            onChange={(event) => setChat(event.currentTarget.value)}
          />
          <Button variant="default" loading={use.isPending} onClick={() => use.mutate()}>
            {t('llm.find.use')}
          </Button>
        </Group>
      )}
      {use.data && (
        <>
          <Text size="sm" role="status">
            {t('llm.find.used', { name })}
          </Text>
          <TestResults results={use.data.results} />
        </>
      )}
    </Stack>
  );
}
