import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type AiFeature,
  AiLimits,
  type AiModels,
  type AiProvider,
  type AiTestResult,
  type AiUsageReport,
  aiApi,
  aiCapabilities,
  aiDefaultModels,
  aiFeatures,
  aiHosts,
  llmApi,
} from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerersQuery, modelsQuery, usageQuery } from '../../components/ai/ai-queries.ts';
import { useModelOptions } from '../../components/ai/model-options.tsx';
import { PrivacyLine } from '../../components/ai/privacy-lines.tsx';
import { ProviderFields } from '../../components/ai/provider/provider-fields.tsx';
import {
  type ProviderFacts,
  type ProviderProblem,
  providerProblem,
} from '../../components/ai/provider/provider-problem.ts';
import { TestResults } from '../../components/ai/provider/test-results.tsx';
import { isRefusal, useRefusal } from '../../components/ai/use-refusal.ts';
import { formatDelay } from '../../components/figures/format-figures.ts';
import { isWholeNumber } from '../../components/settings-form/number-field.tsx';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { Outcome, type OutcomeFacts } from '../../components/ui/feedback/outcome.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import classes from './limits-panel.module.css';
import { providerQuery } from './llm-queries.ts';
import { LocalAiPanel } from './local-ai-panel.tsx';
import { ProviderSearch } from './provider-search.tsx';

export function LlmTab() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('settings.tabLLM')} state={<AnswererPill />} purpose={t('nav.purpose.llm')} />
      <Stack gap="md">
        <ProviderPanel />
        <LocalAiPanel />
        <PrivacyPanel />
        <ModelsPanel />
        <UsagePanel />
        <LimitsPanel />
      </Stack>
    </>
  );
}

/** Destination of most calls: the provider for chat, else built-in AI. */
function AnswererPill() {
  const { t } = useTranslation();
  const { data } = useQuery(answerersQuery());
  if (!data) return null;
  const answerers = aiCapabilities.map((need) => data[need]);
  const found = data.chat.by === 'nobody' ? answerers.find(({ by }) => by !== 'nobody') : data.chat;
  if (!found) return <StatePill tone="off" word={t('llm.notSetUp')} />;
  return <StatePill tone="ok" word={found.by === 'provider' ? found.host : t('llm.choice.builtIn')} />;
}

function ProviderPanel() {
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
    // The server masks a new key, and other providers may answer now.
    refresh: (queries) =>
      Promise.all([queries.invalidateQueries(providerQuery), queries.invalidateQueries({ queryKey: ['ai'] })]),
    done: t('helper.setOk'),
    onEdit: test.reset,
  });
  const tryOut = () => {
    if (form.check() && !form.isSaving && !test.isPending) test.mutate(form.value);
  };
  return (
    <Section isSplit title={t('settings.openaiTitle')} help={t('llm.help')} state={<StaleChip {...query} />}>
      <ProviderSearch />
      <SettingsForm
        form={form}
        width={560}
        actions={
          <>
            <Button
              variant="default"
              loading={test.isPending}
              disabled={!form.isKnown}
              title={t('llm.testHelp')}
              onClick={tryOut}
            >
              {t('llm.test')}
            </Button>
            {saved && saved.baseURL !== '' && !form.isChanged && <RemoveProvider host={hostOf(saved.baseURL)} />}
          </>
        }
        outcome={<Outcome outcome={test.outcome} />}
      >
        <ProviderFields value={form.value} onEdit={form.edit} problem={form.problem} />
      </SettingsForm>
      {test.data && <TestResults results={test.data.results} />}
    </Section>
  );
}

/** Removes the default provider after a confirmation. */
function RemoveProvider({ host }: { host: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => client.call(llmApi.remove, {}),
    onSuccess: async () => {
      await Promise.all([queries.invalidateQueries(providerQuery), queries.invalidateQueries({ queryKey: ['ai'] })]);
      setIsAsking(false);
      notify.success(t('llm.removed'));
    },
  });
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => setIsAsking(true)}>
        {t('llm.remove')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('llm.removeTitle')}
        text={t('llm.removeText', { host })}
        action={t('llm.remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}

function hostOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).host : baseURL;
}

function toProviderFacts({ aiSecretKey, aiBaseURL, aiOrganization }: AiProvider): ProviderFacts {
  return { secretKey: aiSecretKey, baseURL: aiBaseURL, organization: aiOrganization };
}

const fields = ['transcribe', 'chat', 'see', 'speak', 'voice'] as const satisfies readonly (keyof AiModels)[];
const none: AiModels = { transcribe: '', chat: '', see: '', speak: '', voice: '' };

/** Models of the default provider. Self-hosted servers have other names than OpenAI. */
function ModelsPanel() {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery);
  const offered = useModelOptions();
  const form = useSettingsForm<AiModels>({
    saved: models.data ?? none,
    isKnown: models.data !== undefined,
    save: (value) => client.call(aiApi.updateModels, value),
    refresh: (queries, value) => queries.setQueryData(modelsQuery.queryKey, value),
    done: t('helper.setOk'),
  });
  return (
    <Section isSplit title={t('llm.models.title')} help={t('llm.models.help')}>
      <SettingsForm form={form} width={560}>
        {fields.map((field) => (
          <TextInput
            key={field}
            size="md"
            label={t(`llm.models.${field}`)}
            placeholder={t('llm.models.defaultModel', { model: aiDefaultModels[field] })}
            {...offered.field}
            list={field === 'voice' ? undefined : offered.field.list}
            value={form.value[field]}
            onChange={(event) => form.edit({ [field]: event.currentTarget.value })}
          />
        ))}
        {offered.options}
      </SettingsForm>
    </Section>
  );
}

type Row = AiUsageReport['today'][number];

function UsagePanel() {
  const { t } = useTranslation();
  const locale = useLocale();
  const usage = useQuery(usageQuery);
  const { today = [], days = [], paused = [] } = usage.data ?? {};
  const number = (value: number) => value.toLocaleString(locale);
  const sum = (field: 'calls' | 'tokens' | 'audioSeconds') => days.reduce((total, day) => total + day[field], 0);
  const columns: readonly Column<Row>[] = [
    {
      title: t('llm.usage.feature'),
      isName: true,
      render: ({ feature }) => (
        <>
          {t(`llm.feature.${feature}`)}
          {paused.includes(feature) && <StatusLabel tone="warn" word={t('llm.usage.paused')} />}
        </>
      ),
    },
    {
      title: t('llm.usage.host'),
      render: ({ host }) => (host === aiHosts.builtIn ? t('llm.choice.builtIn') : host),
    },
    { title: t('llm.usage.calls'), render: ({ calls }) => number(calls) },
    { title: t('llm.usage.errors'), render: ({ errors }) => number(errors) },
    {
      title: t('llm.usage.audio'),
      render: ({ audioSeconds }) => (audioSeconds > 0 ? formatDuration(audioSeconds, locale) : '–'),
    },
    { title: t('llm.usage.tokens'), render: ({ tokens }) => (tokens > 0 ? number(tokens) : '–') },
    {
      title: t('llm.usage.delay'),
      render: ({ delayMs, calls }) => formatDelay(delayMs / Math.max(1, calls), locale),
    },
  ];
  return (
    <Section title={t('llm.usage.title')} help={t('llm.usage.help')} state={<StaleChip {...usage} />}>
      {usage.data && today.length === 0 && <EmptyState title={t('llm.usage.empty')} text={t('llm.usage.emptyText')} />}
      {today.length > 0 && (
        <DataTable
          label={t('llm.usage.title')}
          columns={columns}
          rows={today}
          keyOf={({ feature, host }) => `${feature} ${host}`}
          actionsTitle=""
        />
      )}
      {days.length > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('llm.usage.month', {
            calls: number(sum('calls')),
            tokens: number(sum('tokens')),
            audio: formatDuration(sum('audioSeconds'), locale),
          })}
        </Text>
      )}
    </Section>
  );
}

/** Data that leaves this server with the default settings, and its receivers. */
function PrivacyPanel() {
  const { t } = useTranslation();
  const { data } = useQuery(answerersQuery());
  return (
    <Section title={t('llm.privacy.title')} help={t('llm.privacy.help')}>
      {data && (
        <FactList
          facts={aiCapabilities.map((need) => ({
            term: t(`llm.need.${need}`),
            value: <PrivacyLine answerer={data[need]} />,
          }))}
        />
      )}
    </Section>
  );
}

/** Tests the provider with the form's values, saved or not. */
function useProviderTest() {
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

type LimitKind = 'calls' | 'minutes';
type LimitName = `${AiFeature}.${LimitKind}`;
type LimitTexts = Record<LimitName, string>;

const limitMost = { calls: 1_000_000, minutes: 100_000 } as const;
const limitKinds = ['calls', 'minutes'] as const;
/** Tests of the provider cost almost nothing, so they have no limit. */
const limitedFeatures = aiFeatures.filter((feature) => feature !== 'check');
const limitNames = limitedFeatures.flatMap((feature) => limitKinds.map((field): LimitName => `${feature}.${field}`));

function LimitsPanel() {
  const { t } = useTranslation();
  const usage = useQuery(usageQuery);
  const form = useSettingsForm<LimitTexts, readonly LimitName[]>({
    saved: toTexts(usage.data?.limits ?? AiLimits.parse({})),
    isKnown: usage.data !== undefined,
    check: (texts) => {
      const wrong = limitNames.filter(
        (name) => !isWholeNumber(texts[name], limitMost[name.split('.')[1] as LimitKind]),
      );
      return wrong.length > 0 ? wrong : undefined;
    },
    save: (texts) => client.call(aiApi.updateLimits, parseLimits(texts)),
    refresh: (queries) => queries.invalidateQueries(usageQuery),
    done: t('helper.setOk'),
  });
  return (
    <Section isSplit anchor="limits" title={t('llm.limits.title')} help={t('llm.limits.help')}>
      <SettingsForm form={form} width={560}>
        <div className={classes.grid}>
          <span />
          <Group className={classes.head}>{t('llm.limits.calls')}</Group>
          <Group className={classes.head}>{t('llm.limits.minutes')}</Group>
          {limitedFeatures.map((feature) => (
            <LimitRow key={feature} feature={feature} form={form} />
          ))}
        </div>
      </SettingsForm>
    </Section>
  );
}

interface LimitRowProps {
  feature: AiFeature;
  form: ReturnType<typeof useSettingsForm<LimitTexts, readonly LimitName[]>>;
}

function LimitRow({ feature, form }: LimitRowProps) {
  const { t } = useTranslation();
  const name = t(`llm.feature.${feature}`);
  return (
    <>
      <span className={classes.name}>{name}</span>
      {limitKinds.map((field) => {
        const key: LimitName = `${feature}.${field}`;
        return (
          <TextInput
            key={field}
            aria-label={t(field === 'calls' ? 'llm.limits.callsOf' : 'llm.limits.minutesOf', { name })}
            inputMode="numeric"
            autoComplete="off"
            value={form.value[key]}
            onChange={(event) => form.edit({ [key]: event.currentTarget.value } as Partial<LimitTexts>)}
            error={form.problem?.includes(key) && t('helper.wholeNumber', { least: 0, most: limitMost[field] })}
          />
        );
      })}
    </>
  );
}

function toTexts(limits: AiLimits): LimitTexts {
  const entries = limitedFeatures.flatMap((feature) =>
    limitKinds.map((field) => [`${feature}.${field}`, String(limits[feature][field])]),
  );
  return Object.fromEntries(entries) as LimitTexts;
}

function parseLimits(texts: LimitTexts): AiLimits {
  const entries = limitedFeatures.map((feature) => {
    const limit = { calls: Number(texts[`${feature}.calls`]), minutes: Number(texts[`${feature}.minutes`]) };
    return [feature, limit];
  });
  return AiLimits.parse(Object.fromEntries(entries));
}
