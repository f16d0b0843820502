import { ActionIcon, Button, Text } from '@mantine/core';
import { usePrefetchQuery, useQueries, useQuery } from '@tanstack/react-query';
import type { Broadcast, Health, Listener, TimelineEventKind } from '@weir/contract';
import { placeText, streamLabel } from '@weir/streams';
import { useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { useOutletTitle } from '../../../components/outlets/destination/platforms.ts';
import { overviewQuery } from '../../../components/streams/overview-query.ts';
import { StreamLink } from '../../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { Thumbnail } from '../../../components/streams/thumbnail.tsx';
import { BroadcastsPanel } from '../../../components/timeline/broadcasts-panel.tsx';
import { describeEntry } from '../../../components/timeline/entry-text.ts';
import { TimelinePanel } from '../../../components/timeline/timeline-panel.tsx';
import { broadcastsQuery, timelineQuery } from '../../../components/timeline/timeline-queries.ts';
import { Ago } from '../../../components/ui/facts/moment.tsx';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { StatePill } from '../../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { PageHead } from '../../../components/ui/layout/page-head.tsx';
import { PagePart } from '../../../components/ui/layout/page-part.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { IconBroadcast, IconCopy } from '../../../components/ui/theme/icons.ts';
import { formatAgo, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { useCopy } from '../../../lib/notify.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import { environmentQuery } from '../../../lib/queries/system-queries.ts';
import { AlertPanel } from './alert-panel.tsx';
import lately from './lately.module.css';
import { LivePanel } from './live/live-panel.tsx';
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

/** Number of broadcasts in the list of broadcasts below, so that both share one response. */
const broadcastsRead = 5;
const mostEvents = 6;
/** Events that happen all the time while everything works. */
const routine: readonly TimelineEventKind[] = ['callback-delivered', 'setting-changed', 'format-changed'];

/** Newest events of the newest broadcasts, without those of every day. */
function LatestPanel() {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const titleOf = useOutletTitle();
  const { data } = useQuery(broadcastsQuery(undefined, broadcastsRead));
  const timelines = useQueries({
    queries: (data?.broadcasts ?? []).map(({ id, vhost, app, stream }) =>
      timelineQuery({ id, vhost, app, stream }, false),
    ),
  });
  const events = timelines
    .flatMap(({ data: one }) => one?.entries.map((entry) => ({ entry, broadcast: one.broadcast })) ?? [])
    .filter(({ entry }) => !routine.includes(entry.what))
    .sort((a, b) => b.entry.at.localeCompare(a.entry.at))
    .slice(0, mostEvents);
  if (events.length === 0) return null;
  const slotName = (platform: string) => titleOf({ platform, custom: false, label: '' });
  return (
    <PagePart title={t('overview.latest')}>
      <ul className={lately.rows} aria-label={t('overview.latest')}>
        {events.map(({ entry, broadcast }) => {
          const { tone, title } = describeEntry(entry, { t, locale, slotName });
          return (
            <li key={`${broadcast?.id} ${entry.id}`} className={lately.event}>
              <StatusLabel tone={tone} word={title} />
              {broadcast && (
                <Link
                  data-touch
                  to={localPath(`${paths.scenario}?tab=overview&broadcast=${broadcast.id}#timeline`)}
                  className={lately.name}
                >
                  {streamLabel(broadcast)}
                </Link>
              )}
              <span className={lately.ago}>
                <Ago at={entry.at} />
              </span>
            </li>
          );
        })}
      </ul>
    </PagePart>
  );
}

const weekBroadcastsRead = 50;
const mostOffAir = 4;
const weekMs = 7 * 86_400_000;

/** Streams that were live in the last week and are not now, with their last picture. */
function OffAirPanel() {
  const { t } = useTranslation();
  const { data: streams } = useQuery({ ...streamsQuery, select: (data) => data.streams.map(placeText).join('\n') });
  const { data } = useQuery(broadcastsQuery(undefined, weekBroadcastsRead));
  if (!data || streams === undefined) return null;
  const off = listOffAir(data.broadcasts, streams.split('\n'));
  if (off.length === 0) return null;
  return (
    <PagePart title={t('overview.offAir')} note={t('overview.offAirCount', { count: off.length })}>
      <ul className={lately.rows} aria-label={t('overview.offAir')}>
        {off.slice(0, mostOffAir).map((broadcast) => (
          <OffAirRow key={broadcast.id} broadcast={broadcast} />
        ))}
      </ul>
    </PagePart>
  );
}

/** The newest broadcast of each stream that has ended lately. */
function listOffAir(broadcasts: readonly Broadcast[], live: readonly string[]): Broadcast[] {
  const seen = new Set(live);
  return broadcasts.filter((broadcast) => {
    const name = placeText(broadcast);
    if (seen.has(name)) return false;
    seen.add(name);
    return broadcast.endedAt !== '' && Date.now() - Date.parse(broadcast.endedAt) < weekMs;
  });
}

function OffAirRow({ broadcast }: { broadcast: Broadcast }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const { endedAt, seconds, recordings } = broadcast;
  const recording = recordings.at(-1);
  const name = streamLabel(broadcast);
  return (
    <li className={lately.row}>
      <div className={lately.picture}>
        <Thumbnail stream={broadcast} isLive={false} />
      </div>
      <div className={lately.text}>
        <StreamLink stream={broadcast} className={lately.name} />
        <span className={lately.note}>
          {t('overview.offAirSince', {
            ago: formatAgo(new Date(endedAt), new Date(), locale),
            duration: formatDuration(seconds, locale),
          })}
        </span>
      </div>
      {recording === undefined ? (
        <Button
          component={Link}
          to={localPath(`${paths.scenario}?tab=live`)}
          variant="default"
          size="xs"
          aria-label={t('overview.publishWhat', { name })}
        >
          {t('overview.publish')}
        </Button>
      ) : (
        <Button
          component={Link}
          to={localPath(`${paths.scenario}?tab=record&recording=${encodeURIComponent(recording)}`)}
          variant="default"
          size="xs"
          aria-label={t('overview.playWhat', { name })}
        >
          {t('overview.play')}
        </Button>
      )}
    </li>
  );
}
