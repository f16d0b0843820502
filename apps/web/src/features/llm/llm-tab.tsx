import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AiProvider } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outcome } from '../../components/ui/feedback/outcome.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { providerQuery } from './llm-queries.ts';
import { type ProviderProblem, providerProblem } from './provider-problem.ts';
import { useProviderCheck, useSaveProvider } from './use-provider.ts';

const empty: AiProvider = { aiSecretKey: '', aiBaseURL: '', aiOrganization: '' };

export function LlmTab() {
  const { t } = useTranslation();
  const query = useQuery(providerQuery);
  // What was typed stands apart from what the server says, so that a late or repeated answer cannot overwrite it.
  const [draft, setDraft] = useState<Partial<AiProvider>>({});
  const [problem, setProblem] = useState<ProviderProblem>();
  const save = useSaveProvider(() => setDraft({}));
  const check = useProviderCheck();
  const saved = query.data;
  const provider = { ...empty, ...saved, ...draft };
  const isChanged = saved && Object.entries(draft).some(([field, text]) => text !== saved[field as keyof AiProvider]);

  const edit = (field: keyof AiProvider) => (event: { currentTarget: { value: string } }) => {
    setDraft({ ...draft, [field]: event.currentTarget.value.trim() });
    setProblem(undefined);
    check.reset();
  };
  const isReady = () => {
    const found = providerProblem(provider, saved);
    setProblem(found);
    return !found && !save.isPending && !check.isPending;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady()) save.mutate(provider);
  };
  const errorOf = (field: ProviderProblem['field']) => (problem?.field === field ? t(problem.text) : undefined);

  return (
    <Section title={t('settings.openaiTitle')} help={t('llm.help')} state={<StaleChip {...query} />}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={560}>
          <PasswordInput
            size="md"
            label={t('llm.key')}
            description={t('llm.keyHelp')}
            visibilityToggleButtonProps={{ 'aria-label': t('helper.reveal') }}
            autoComplete="off"
            data-1p-ignore
            spellCheck={false}
            value={provider.aiSecretKey}
            // The mask is no key to add letters to: whoever goes there types a new one.
            onFocus={(event) => event.currentTarget.select()}
            onChange={edit('aiSecretKey')}
            error={errorOf('aiSecretKey')}
          />
          <TextInput
            size="md"
            label={t('llm.url')}
            description={t('llm.urlHelp')}
            placeholder="https://example.com/v1"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            value={provider.aiBaseURL}
            onChange={edit('aiBaseURL')}
            error={errorOf('aiBaseURL')}
          />
          <TextInput
            size="md"
            label={t('llm.organization')}
            description={t('llm.organizationHelp')}
            autoComplete="off"
            spellCheck={false}
            value={provider.aiOrganization}
            onChange={edit('aiOrganization')}
          />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!saved}>
              {t('helper.update')}
            </Button>
            <Button
              variant="default"
              loading={check.isPending}
              disabled={!saved}
              onClick={() => isReady() && check.mutate(provider)}
            >
              {t('llm.test')}
            </Button>
            {isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
            <Outcome outcome={check.outcome} />
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
