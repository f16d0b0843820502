import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AiProvider, llmApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { ProviderFields } from '../../components/ai/provider/provider-fields.tsx';
import {
  type ProviderFacts,
  type ProviderProblem,
  providerProblem,
} from '../../components/ai/provider/provider-problem.ts';
import { TestResults } from '../../components/ai/provider/test-results.tsx';
import { useProviderTest } from '../../components/ai/provider/use-provider-test.ts';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { Outcome } from '../../components/ui/feedback/outcome.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { providerQuery } from './llm-queries.ts';

/** The default provider, and the button that tells what it can do. */
export function ProviderPanel() {
  const { t } = useTranslation();
  const query = useQuery(providerQuery);
  const test = useProviderTest();
  const saved = query.data && toProviderFacts(query.data);
  const form = useSettingsForm<ProviderFacts, ProviderProblem>({
    saved: saved ?? { secretKey: '', baseURL: '', organization: '' },
    isKnown: saved !== undefined,
    check: (provider) => providerProblem(provider, saved),
    isBlocked: test.isPending,
    save: ({ secretKey, baseURL, organization }) =>
      client.call(llmApi.update, { aiSecretKey: secretKey, aiBaseURL: baseURL, aiOrganization: organization }),
    // The mask of a new key is the server's to make; and others answer now.
    settle: (queries) =>
      Promise.all([queries.invalidateQueries(providerQuery), queries.invalidateQueries({ queryKey: ['ai'] })]),
    done: t('helper.setOk'),
    onEdit: test.reset,
  });
  const tryOut = () => {
    if (form.check() && !form.isSaving && !test.isPending) test.mutate(form.value);
  };
  return (
    <Section title={t('settings.openaiTitle')} help={t('llm.help')} state={<StaleChip {...query} />}>
      <SettingsForm
        form={form}
        width={560}
        actions={
          <Button
            variant="default"
            loading={test.isPending}
            disabled={!form.isKnown}
            title={t('llm.testHelp')}
            onClick={tryOut}
          >
            {t('llm.test')}
          </Button>
        }
        outcome={<Outcome outcome={test.outcome} />}
      >
        <ProviderFields value={form.value} onEdit={form.edit} problem={form.problem} />
      </SettingsForm>
      {test.data && <TestResults results={test.data.results} />}
    </Section>
  );
}

function toProviderFacts({ aiSecretKey, aiBaseURL, aiOrganization }: AiProvider): ProviderFacts {
  return { secretKey: aiSecretKey, baseURL: aiBaseURL, organization: aiOrganization };
}
