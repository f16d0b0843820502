import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { isSignInEnded } from '../../lib/api.ts';
import { endedSession, paths, useLocalPath } from '../../lib/paths.ts';
import { statusQuery } from '../../lib/queries/system-queries.ts';
import classes from './connection-state.module.css';

/** Whether what the page shows is current. Changes are announced; nothing here interrupts. */
export function ConnectionState() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const status = useQuery(statusQuery);
  return (
    <div role="status" className={classes.state}>
      {isSignInEnded(status.error) ? (
        <Link to={localPath(paths.logout)} state={endedSession} className={classes.link}>
          <StatusLabel tone="bad" word={t('shell.signInEnded')} tinted />
        </Link>
      ) : status.failureCount > 0 ? (
        <StaleChip {...status} />
      ) : status.data ? (
        <StatusLabel tone="ok" word={t('shell.connected')} />
      ) : (
        <StatusLabel tone="busy" word={t('shell.connecting')} />
      )}
    </div>
  );
}
