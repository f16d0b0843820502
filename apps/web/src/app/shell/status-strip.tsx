import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { useServerState } from '../../features/system/overview/use-server-state.ts';
import { formatBytes, formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import classes from './status-strip.module.css';

/** Always at the foot of the page: how the server is, and what is left. Each entry leads to what it names. */
export function StatusStrip() {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const { status: data, tone, word } = useServerState();
  const live = useQuery(streamsQuery);
  if (!data) return <aside className={classes.strip} aria-label={t('shell.now')} />;

  const to = (anchor: string) => localPath(`${paths.scenario}?tab=overview#${anchor}`);
  const alerts = data.alerts.length;
  const worst = data.alerts.some(({ severity }) => severity === 'bad') ? 'bad' : 'warn';
  const disk = t('shell.diskLeft', { size: formatBytes(data.health.disk.freeBytes, locale) });
  return (
    <aside className={classes.strip} aria-label={t('shell.now')}>
      <Link to={to('server')} className={classes.entry}>
        <StatusLabel tone={tone} word={word} />
      </Link>
      {live.data && live.failureCount === 0 && (
        <Link to={to('live')} className={classes.entry}>
          {t('shell.live', { number: live.data.streams.length })}
        </Link>
      )}
      <Link to={to('alerts')} className={classes.entry}>
        {alerts === 0 ? t('shell.noAlerts') : <StatusLabel tone={worst} word={t('shell.alerts', { number: alerts })} />}
      </Link>
      <Link to={to('parts')} className={classes.entry}>
        {data.health.disk.ok ? disk : <StatusLabel tone="warn" word={disk} />}
      </Link>
      <Link to={to('server')} className={`${classes.entry} ${classes.spare}`}>
        {t('shell.uptime', { duration: formatDuration(data.uptimeSeconds, locale) })}
      </Link>
    </aside>
  );
}
