import { Text } from '@mantine/core';
import type { Status } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { Moment } from '../../../components/ui/facts/moment.tsx';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { AddressPanel } from './address-panel.tsx';
import { AlertPanel } from './alert-panel.tsx';
import { LivePanel } from './live-panel.tsx';
import classes from './overview-tab.module.css';
import { PartsPanel } from './parts-panel.tsx';
import { type ServerState, useServerState } from './use-server-state.ts';

/** What is running, and how it is doing. */
export function OverviewTab() {
  const server = useServerState();
  const { status } = server;
  if (!status) return <PageSkeleton />;
  return (
    <div className={classes.columns} data-alerting={status.alerts.length > 0 || undefined}>
      <div className={classes.column}>
        <LivePanel />
        <ServerPanel server={server} status={status} />
        <AddressPanel engine={status.health.engine} />
      </div>
      <div className={classes.column}>
        <AlertPanel alerts={status.alerts} />
        <PartsPanel health={status.health} />
      </div>
    </div>
  );
}

function ServerPanel({ server, status }: { server: ServerState; status: Status }) {
  const { t } = useTranslation();
  const locale = useLocale();
  return (
    <Section
      anchor="server"
      title={t('overview.server')}
      state={<StatusLabel tone={server.tone} word={server.word} tinted />}
    >
      <Text size="sm" mb="md">
        {server.text}
      </Text>
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
