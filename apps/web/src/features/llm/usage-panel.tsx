import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AiUsageReport, aiHosts } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { usageQuery } from '../../components/ai/ai-queries.ts';
import { delayText } from '../../components/figures/figures.ts';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';

type Row = AiUsageReport['today'][number];

/** What ran today, for whom, and whether anybody pauses. */
export function UsagePanel() {
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
      render: ({ delayMs, calls }) => delayText(delayMs / Math.max(1, calls), locale),
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
