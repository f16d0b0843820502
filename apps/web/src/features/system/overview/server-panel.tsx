import { Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Health, Issue, Pair, ServerSparklines, Status } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Sparkline } from '../../../components/charts/sparkline.tsx';
import { formatBitrate, formatPercent } from '../../../components/figures/format-figures.ts';
import { overviewQuery } from '../../../components/streams/overview-query.ts';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { formatBytes, formatDateTime, formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { serverNowQuery } from '../../../lib/queries/system-queries.ts';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';
import { NoticeList, useIssueNotice } from './notice-list.tsx';
import classes from './server-panel.module.css';
import type { ServerState } from './use-server-state.ts';

export function ServerPanel({ server, status }: { server: ServerState; status: Status }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const isMeasured = !useEngineLacks('measurements');
  const uptime = formatDuration(status.uptimeSeconds, locale);
  const startedAt = formatDateTime(new Date(status.startedAt));
  return (
    <Section
      anchor="server"
      title={t('overview.server')}
      state={<StatusLabel tone={server.tone} word={server.word} tinted />}
    >
      {server.tone !== 'ok' && (
        <Text size="sm" mb="md">
          {server.text}
        </Text>
      )}
      {isMeasured ? (
        <ServerFigures disk={status.health.disk} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('overview.notMeasured')}
        </Text>
      )}
      <Advice issues={server.issues.advice} />
      {status.pair && <PairFacts pair={status.pair} />}
      <Text size="sm" c="dimmed" mt="sm" title={startedAt}>
        {t('overview.versionLine', { version: status.version, uptime })}
      </Text>
    </Section>
  );
}

function Advice({ issues }: { issues: readonly Issue[] }) {
  const notice = useIssueNotice();
  if (issues.length === 0) return null;
  return (
    <div className={classes.advice}>
      <NoticeList notices={issues.map(notice)} />
    </div>
  );
}

/** Below this, traffic is drawn near zero instead of filling the chart. */
const quietKbps = 500;

function ServerFigures({ disk }: { disk: Health['disk'] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const lines = useQuery(overviewQuery).data?.server;
  const now = useQuery(serverNowQuery).data?.values;
  const share = (value: number | null | undefined) => formatPercent(value == null ? undefined : value * 100, locale, 0);
  const rate = (value: number | null | undefined) => formatBitrate(value ?? undefined, locale);
  return (
    <dl className={classes.figures}>
      <LineFigure term={t('overview.cpu')} value={share(now?.cpu)} line={lines?.cpu} least={1} />
      <LineFigure term={t('overview.memory')} value={share(now?.memory)} line={lines?.memory} least={1} />
      <LineFigure term={t('overview.in')} value={rate(now?.inKbps)} line={lines?.inKbps} least={quietKbps} />
      <LineFigure term={t('overview.out')} value={rate(now?.outKbps)} line={lines?.outKbps} least={quietKbps} />
      <Figure term={t('overview.disk')} value={t('shell.diskLeft', { size: formatBytes(disk.freeBytes, locale) })}>
        <DiskLeft disk={disk} />
      </Figure>
    </dl>
  );
}

interface LineFigureProps {
  term: string;
  value: string | undefined;
  line: ServerSparklines['cpu'] | undefined;
  least?: number;
}

function LineFigure({ term, value = '–', line, least }: LineFigureProps) {
  const { t } = useTranslation();
  return (
    <Figure term={term} value={value}>
      <span className={classes.line}>
        {line && (
          <Sparkline
            values={line}
            label={t('overview.serverLine', { term, value })}
            {...(least !== undefined && { least })}
          />
        )}
      </span>
    </Figure>
  );
}

function Figure({ term, value, children }: { term: string; value: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{term}</dt>
      <dd>
        <span className={classes.value}>{value}</span>
        {children}
      </dd>
    </div>
  );
}

/** Longer forecasts are useless. */
const longestDays = 365;

function DiskLeft({ disk: { ok, freeBytes, totalBytes, fullInDays } }: { disk: Health['disk'] }) {
  const { t } = useTranslation();
  const usedPercent = totalBytes > 0 ? (1 - freeBytes / totalBytes) * 100 : 0;
  return (
    <>
      <Progress
        className={classes.bar}
        value={usedPercent}
        size="sm"
        color={ok ? 'water' : 'yellow.8'}
        aria-label={t('overview.diskUsed')}
      />
      {fullInDays !== undefined && fullInDays <= longestDays && (
        <span className={classes.note} data-soon={fullInDays <= 7 || undefined}>
          {t('overview.fullInDays', { count: Math.floor(fullInDays) })}
        </span>
      )}
    </>
  );
}

/** Role of this server among those that share a store, the leader and the standbys. */
function PairFacts({ pair: { asked, leader, standbys } }: { pair: Pair }) {
  const { t } = useTranslation();
  const isLeader = asked === 'leader';
  // A separate media server accepts publishers regardless of the leader.
  const isSeparate = useEngineLacks('process');
  return (
    <Stack gap="xs" mt="md">
      <FactList
        facts={[
          {
            term: t('overview.pair.role'),
            value: (
              <>
                <StatusLabel
                  tone={isLeader ? 'ok' : 'off'}
                  word={isLeader ? t('overview.pair.leads') : t('overview.pair.waits')}
                />
                {!isLeader && (
                  <Text size="sm" c="dimmed">
                    {isSeparate ? t('overview.pair.waitsSeparateText') : t('overview.pair.waitsText')}
                  </Text>
                )}
              </>
            ),
          },
          { term: t('overview.pair.leader'), value: leader },
          { term: t('overview.pair.standby'), value: <Standbys standbys={standbys} /> },
        ]}
      />
    </Stack>
  );
}

function Standbys({ standbys }: { standbys: readonly string[] }) {
  const { t } = useTranslation();
  if (standbys.length > 0) return standbys.join(', ');
  return (
    <>
      <StatusLabel tone="warn" word={t('overview.pair.none')} />
      <Text size="sm" c="dimmed">
        {t('overview.pair.noneText')}
      </Text>
    </>
  );
}
