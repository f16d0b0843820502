import { Button, Text } from '@mantine/core';
import type { Alert } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { formatDateTime } from '../../../lib/format.ts';
import { useLocalPath } from '../../../lib/paths.ts';
import classes from './alert-panel.module.css';
import { placePath, placeTitle } from './alert-places.ts';
import { useAlertText } from './use-alert-text.ts';

/** What needs a person, the worst first, and the way to where it is mended. */
export function AlertPanel({ alerts }: { alerts: readonly Alert[] }) {
  const { t } = useTranslation();
  return (
    <Section anchor="alerts" title={t('overview.alerts')}>
      {alerts.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('overview.noAlerts')}
        </Text>
      ) : (
        <ul className={classes.alerts}>
          {alerts.map((alert) => (
            <AlertRow key={`${alert.kind} ${alert.place.tab} ${alert.subject} ${alert.cause}`} alert={alert} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function AlertRow({ alert }: { alert: Alert }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const { title, text } = useAlertText()(alert);
  const { kind, severity, since, place } = alert;
  const time = formatDateTime(new Date(since));
  return (
    <li className={classes.alert}>
      <div>
        <StatusLabel tone={severity} word={title} />
        {text !== '' && (
          <Text size="sm" mt={4}>
            {text}
          </Text>
        )}
        <Text size="sm" c="dimmed" mt={2}>
          {/* What is to come has an end instead of a beginning. */}
          {kind === 'certificate' ? t('overview.alertUntil', { time }) : t('overview.alertSince', { time })}
        </Text>
      </div>
      {/* What is mended outside the console has no tab but this one. */}
      {place.tab !== 'overview' && (
        <Button component={Link} to={localPath(placePath(place))} variant="default" size="xs" className={classes.go}>
          {t('overview.openTab', { tab: t(placeTitle(place)) })}
        </Button>
      )}
    </li>
  );
}
