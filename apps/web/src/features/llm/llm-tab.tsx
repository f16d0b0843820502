import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AiProvider, llmApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { Outcome } from '../../components/ui/feedback/outcome.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { providerQuery } from './llm-queries.ts';
import { type ProviderProblem, providerProblem } from './provider-problem.ts';
import { useProviderCheck } from './use-provider-check.ts';

const empty: AiProvider = { aiSecretKey: '', aiBaseURL: '', aiOrganization: '' };

export function LlmTab() {
  const { t } = useTranslation();
  const query = useQuery(providerQuery);
  const check = useProviderCheck();
  const form = useSettingsForm<AiProvider, ProviderProblem>({
    saved: query.data ?? empty,
    isKnown: query.data !== undefined,
    check: (provider) => providerProblem(provider, query.data),
    isBlocked: check.isPending,
    save: (provider) => client.call(llmApi.update, provider),
    // The mask of a new key is the server's to make.
    settle: (queries) => queries.invalidateQueries(providerQuery),
    done: t('helper.setOk'),
    onEdit: check.reset,
  });
  const edit = (field: keyof AiProvider) => (event: { currentTarget: { value: string } }) =>
    form.edit({ [field]: event.currentTarget.value.trim() });
  const tryOut = () => {
    if (form.check() && !form.isSaving && !check.isPending) check.mutate(form.value);
  };
  const errorOf = (field: ProviderProblem['field']) =>
    form.problem?.field === field ? t(form.problem.text) : undefined;

  return (
    <Section title={t('settings.openaiTitle')} help={t('llm.help')} state={<StaleChip {...query} />}>
      <SettingsForm
        form={form}
        width={560}
        actions={
          <Button variant="default" loading={check.isPending} disabled={!form.isKnown} onClick={tryOut}>
            {t('llm.test')}
          </Button>
        }
        outcome={<Outcome outcome={check.outcome} />}
      >
        <PasswordInput
          size="md"
          label={t('llm.key')}
          description={t('llm.keyHelp')}
          visibilityToggleButtonProps={{ 'aria-label': t('helper.reveal') }}
          autoComplete="off"
          data-1p-ignore
          spellCheck={false}
          value={form.value.aiSecretKey}
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
          value={form.value.aiBaseURL}
          onChange={edit('aiBaseURL')}
          error={errorOf('aiBaseURL')}
        />
        <TextInput
          size="md"
          label={t('llm.organization')}
          description={t('llm.organizationHelp')}
          autoComplete="off"
          spellCheck={false}
          value={form.value.aiOrganization}
          onChange={edit('aiOrganization')}
        />
      </SettingsForm>
    </Section>
  );
}
