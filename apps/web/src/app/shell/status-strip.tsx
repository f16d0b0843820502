import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { StatusLabel, type Tone } from '../../components/ui/status-label.tsx';
import { statusQuery } from '../../features/system/system-queries.ts';
import { verdictOf } from '../../features/system/verdict.ts';
import { formatBytes, formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { paths, useLocalPath } from '../paths.ts';
import classes from './status-strip.module.css';

/** Always at the foot of the page: how the server is, and what is left. Each entry leads to what it names. */
export function StatusStrip() {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const { data, failureCount, isError } = useQuery(statusQuery);
  if (!data) return <aside className={classes.strip} aria-label={t('shell.now')} />;

  const to = (anchor: string) => localPath(`${paths.scenario}#${anchor}`);
  const isStale = failureCount > 0 || isError;
  const verdict = verdictOf(data);
  const state: { tone: Tone; word: string } = isStale
    ? { tone: 'warn', word: t('overview.notAnswering') }
    : { tone: verdict.tone, word: t(verdict.word) };
  const alerts = data.alerts.length;
  const disk = t('shell.diskLeft', { size: formatBytes(data.health.disk.freeBytes, locale) });
  return (
    <aside className={classes.strip} aria-label={t('shell.now')}>
      <Link to={to('server')} className={classes.entry}>
        <StatusLabel {...state} />
      </Link>
      <Link to={to('alerts')} className={classes.entry}>
        {alerts === 0 ? t('shell.noAlerts') : <StatusLabel tone="warn" word={t('shell.alerts', { number: alerts })} />}
      </Link>
      <Link to={to('parts')} className={classes.entry}>
        {data.health.disk.ok ? disk : <StatusLabel tone="warn" word={disk} />}
      </Link>
      <Link to={to('server')} className={classes.entry}>
        {t('shell.uptime', { duration: formatDuration(data.uptimeSeconds, locale) })}
      </Link>
    </aside>
  );
}
