import { ActionIcon, Button, Text } from '@mantine/core';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import type { Health, Listener } from '@weir/contract';
import { useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { overviewQuery } from '../../../components/streams/overview-query.ts';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { BroadcastsPanel } from '../../../components/timeline/broadcasts-panel.tsx';
import { TimelinePanel } from '../../../components/timeline/timeline-panel.tsx';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { StatePill } from '../../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { PageHead } from '../../../components/ui/layout/page-head.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { IconBroadcast, IconCopy } from '../../../components/ui/theme/icons.ts';
import { useCopy } from '../../../lib/notify.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import { environmentQuery } from '../../../lib/queries/system-queries.ts';
import { AlertPanel } from './alert-panel.tsx';
import { LatestPanel } from './latest-panel.tsx';
import { LivePanel } from './live/live-panel.tsx';
import { OffAirPanel } from './off-air-panel.tsx';
import classes from './overview-tab.module.css';
import { PartsPanel } from './parts-panel.tsx';
import { ServerPanel } from './server-panel.tsx';
import { useServerState } from './use-server-state.ts';

const crowd = 12;

/** Live streams, their health and viewers, and upcoming problems. */
export function OverviewTab() {
  // Starts with the page instead of after the status that the other parts wait for.
  usePrefetchQuery(overviewQuery);
  const server = useServerState();
  const { data: number = 0 } = useQuery({ ...streamsQuery, select: ({ streams }) => streams.length });
  // Above the cards when there are many, because nobody scrolls past a hundred.
  const isCrowded = number > crowd;
  // Renders the parts below after the streams.
  const isBelowDrawn = useDeferredValue(true, false);
  const [query] = useSearchParams();
  const { status } = server;
  if (!status) return <PageSkeleton />;
  const alerts = <AlertPanel alerts={status.alerts} issues={server.issues.alarms} />;
  const machine = <ServerPanel server={server} status={status} />;
  const isAlerting = status.alerts.length + server.issues.alarms.length > 0;
  return (
    <div className={classes.room}>
      <OverviewHead live={number} />
      {/* Alerts come first. */}
      {isAlerting && alerts}
      {isCrowded && machine}
      <LivePanel />
      {!isCrowded && machine}
      {!isAlerting && alerts}
      {query.has('broadcast') && <TimelinePanel />}
      {isBelowDrawn && (
        <>
          <div className={classes.columns}>
            <OffAirPanel />
            <LatestPanel />
          </div>
          <BroadcastsPanel />
          <div className={classes.columns}>
            <AddressPanel engine={status.health.engine} />
            <PartsPanel health={status.health} />
          </div>
        </>
      )}
    </div>
  );
}

function OverviewHead({ live }: { live: number }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <PageHead
      title={t('overview.title')}
      purpose={t('nav.purpose.overview')}
      state={live > 0 && <StatePill tone="ok" word={t('overview.onAir', { number: live })} />}
      action={
        <>
          <Button component={Link} to={localPath(`${paths.scenario}?tab=program&add=1`)} variant="default">
            {t('program.add')}
          </Button>
          <Button
            component={Link}
            to={localPath(`${paths.scenario}?tab=live`)}
            leftSection={<IconBroadcast size={16} aria-hidden />}
          >
            {t('overview.goLive')}
          </Button>
        </>
      }
    />
  );
}

function AddressPanel({ engine }: { engine: Health['engine'] }) {
  const { t } = useTranslation();
  return (
    <Section anchor="addresses" title={t('overview.addresses')} help={t('overview.addressesHelp')}>
      {engine.listeners.length === 0 ? (
        <Text size="sm">{t('overview.noAddresses')}</Text>
      ) : (
        <ul className={classes.addresses}>
          {engine.listeners.map((listener) => (
            <Address key={`${listener.protocol}:${listener.port}`} listener={listener} />
          ))}
        </ul>
      )}
    </Section>
  );
}

const whyOff = {
  '': 'overview.notReady',
  'no-certificate': 'overview.noCertificate',
  'no-library': 'overview.noLibrary',
  'no-filter': 'overview.noFilter',
  'port-taken': 'overview.portTaken',
  unsupported: 'overview.unsupported',
} as const;

function Address({ listener }: { listener: Listener }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const { mediaHost } = useQuery(environmentQuery).data ?? {};
  const isMedia = listener.protocol !== 'http' && listener.protocol !== 'https';
  const host = `${(isMedia && mediaHost) || window.location.hostname}:${listener.port}`;
  // Pages find the WebRTC address by themselves, but its port must be open.
  const isRtc = listener.protocol === 'rtc';
  const address = isRtc ? host : `${listener.protocol}://${host}`;
  if (listener.note === 'unsupported') {
    return (
      <li className={classes.address}>
        <span className={classes.url}>{isRtc ? 'WebRTC' : listener.protocol.toUpperCase()}</span>
        <StatusLabel tone="off" word={t(whyOff.unsupported)} />
      </li>
    );
  }
  return (
    <li className={classes.address}>
      <span className={classes.url}>{isRtc ? t('overview.rtcAddress', { address }) : address}</span>
      {listener.ready ? (
        <StatusLabel tone="ok" word={t('overview.ready')} />
      ) : (
        <StatusLabel tone="off" word={t(whyOff[listener.note])} />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('overview.copyAddress', { address })}
        onClick={() => copy(address)}
      >
        <IconCopy size={16} aria-hidden />
      </ActionIcon>
    </li>
  );
}
