import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatBitrate, formatNumber, formatPercent } from '../../components/figures/format-figures.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { useServerState } from '../../features/system/overview/use-server-state.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { serverNowQuery } from '../../lib/queries/system-queries.ts';
import classes from './status-strip.module.css';

/** Status bar at the bottom of every page. Each entry links to its details. */
export function StatusStrip() {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const { status: data, tone, word, issues } = useServerState();
  const figures = useFigures();
  if (!data) return <aside className={classes.strip} aria-label={t('shell.now')} />;

  const to = (anchor: string) => localPath(`${paths.scenario}?tab=overview#${anchor}`);
  const wrong = [...data.alerts, ...issues.alarms];
  const alerts = wrong.length;
  // Before the first stream nobody can miss anything: no red for what is only being set up.
  const isUsed = data.steps?.published !== false;
  const worst = isUsed && wrong.some(({ severity }) => severity === 'bad') ? 'bad' : 'warn';
  const isHealthy = data.health.engine.ok && data.health.store.ok;
  const disk = t('shell.diskLeft', { size: formatBytes(data.health.disk.freeBytes, locale) });
  return (
    <aside className={classes.strip} aria-label={t('shell.now')}>
      <Link to={to('server')} className={classes.entry}>
        <StatusLabel tone={tone === 'bad' && !isUsed && isHealthy ? 'warn' : tone} word={word} />
      </Link>
      {figures.map(({ key, anchor, text }) => (
        <Link key={key} to={to(anchor)} className={classes.entry}>
          {text}
        </Link>
      ))}
      <Link to={to('parts')} className={classes.entry}>
        {data.health.disk.ok ? disk : <StatusLabel tone="warn" word={disk} />}
      </Link>
      <Link to={to('alerts')} className={classes.entry}>
        {alerts === 0 ? t('shell.noAlerts') : <StatusLabel tone={worst} word={t('shell.alerts', { number: alerts })} />}
      </Link>
    </aside>
  );
}

/** Unknown values are omitted instead of shown as zero. */
function useFigures(): readonly { key: string; anchor: string; text: string }[] {
  const { t } = useTranslation();
  const locale = useLocale();
  const live = useQuery(streamsQuery);
  const now = useQuery(serverNowQuery);
  const streams = live.failureCount === 0 ? live.data?.streams : undefined;
  const values = now.failureCount === 0 ? now.data?.values : undefined;
  const rate = (kbps: number | null | undefined) => formatBitrate(kbps ?? undefined, locale);
  const [rateIn, rateOut] = [rate(values?.inKbps), rate(values?.outKbps)];
  const cpu = formatPercent(values?.cpu == null ? undefined : values.cpu * 100, locale, 0);
  const viewers = streams?.reduce((sum, { media }) => sum + (media?.viewers ?? 0), 0);
  return [
    { key: 'live', anchor: 'live', text: streams && t('shell.live', { number: streams.length }) },
    {
      key: 'viewers',
      anchor: 'live',
      text: viewers === undefined ? undefined : t('shell.viewers', { number: formatNumber(viewers, locale) }),
    },
    { key: 'in', anchor: 'server', text: rateIn && t('shell.in', { rate: rateIn }) },
    { key: 'out', anchor: 'server', text: rateOut && t('shell.out', { rate: rateOut }) },
    { key: 'cpu', anchor: 'server', text: cpu && t('shell.cpu', { share: cpu }) },
  ].flatMap(({ text, ...entry }) => (text ? [{ ...entry, text }] : []));
}
