import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Status } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { FactList } from '../../components/ui/fact-list.tsx';
import { Moment } from '../../components/ui/moment.tsx';
import { PageSkeleton } from '../../components/ui/page-skeleton.tsx';
import { Section } from '../../components/ui/section.tsx';
import { StaleChip } from '../../components/ui/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/status-label.tsx';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { AddressPanel } from './address-panel.tsx';
import { AlertPanel } from './alert-panel.tsx';
import classes from './overview-tab.module.css';
import { PartsPanel } from './parts-panel.tsx';
import { statusQuery } from './system-queries.ts';
import { verdictOf } from './verdict.ts';

/** What is running, and how it is doing. */
export function OverviewTab() {
  const { t } = useTranslation();
  const status = useQuery(statusQuery);
  if (!status.data) {
    return (
      <Stack gap="md">
        <StaleChip {...status} />
        <PageSkeleton />
      </Stack>
    );
  }
  const isStale = status.failureCount > 0 || status.isError;
  return (
    <Stack gap="md">
      <div className={classes.columns}>
        <div className={classes.column}>
          <ServerPanel status={status.data} isStale={isStale} />
          <AddressPanel engine={status.data.health.engine} />
        </div>
        <div className={classes.column}>
          <AlertPanel alerts={status.data.alerts} />
          <PartsPanel health={status.data.health} />
        </div>
      </div>
      {isStale && (
        <Text size="sm" c="dimmed">
          {t('overview.staleText')}
        </Text>
      )}
    </Stack>
  );
}

function ServerPanel({ status, isStale }: { status: Status; isStale: boolean }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const verdict = verdictOf(status);
  return (
    <Section
      anchor="server"
      title={t('overview.server')}
      state={
        isStale ? (
          <StatusLabel tone="warn" word={t('overview.notAnswering')} tinted />
        ) : (
          <StatusLabel tone={verdict.tone} word={t(verdict.word)} tinted />
        )
      }
    >
      {!isStale && (
        <Text size="sm" mb="md">
          {t(verdict.text)}
        </Text>
      )}
      <FactList
        facts={[
          { term: t('overview.version'), value: status.version },
          { term: t('overview.startedAt'), value: <Moment at={status.startedAt} /> },
          { term: t('overview.uptime'), value: formatDuration(status.uptimeSeconds, locale) },
        ]}
      />
    </Section>
  );
}
