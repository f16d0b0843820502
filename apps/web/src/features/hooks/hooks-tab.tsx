import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { HooksForm } from './hooks-form.tsx';
import { hooksQuery } from './hooks-queries.ts';
import { HooksState } from './hooks-state.tsx';
import { HooksUsage } from './hooks-usage.tsx';

/** Callbacks: what they are, where they go, and how the last one went. */
export function HooksTab() {
  const { t } = useTranslation();
  const query = useQuery(hooksQuery);
  const hooks = query.data;
  if (!hooks && query.failureCount === 0) return <PageSkeleton />;
  if (!hooks) return <StaleChip {...query} />;
  const badge = hooks.all ? (
    <StatusLabel tone="ok" word={t('hooks.state.active')} tinted />
  ) : (
    <StatusLabel tone="off" word={t('hooks.state.inactive')} tinted />
  );
  return (
    <Stack gap="md">
      <Accordion
        initial={hooks.all ? '2' : '1'}
        items={[
          { key: '0', title: t('hooks.intro.title'), content: <HooksUsage /> },
          {
            key: '1',
            title: t('hooks.form.title'),
            help: t('hooks.form.help'),
            state: <StaleChip {...query} />,
            content: <HooksForm hooks={hooks} />,
          },
          {
            key: '2',
            title: t('hooks.state.title'),
            help: t('hooks.state.help'),
            state: badge,
            content: <HooksState hooks={hooks} />,
          },
        ]}
      />
      <DeliveriesPanel hasTarget={hooks.target !== ''} />
    </Stack>
  );
}
