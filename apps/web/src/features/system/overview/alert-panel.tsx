import { Text } from '@mantine/core';
import type { Alert, Issue } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/ui/layout/section.tsx';
import { formatDateTime } from '../../../lib/format.ts';
import { placePath, placeTitle } from './alert-places.ts';
import { type Notice, NoticeList } from './issues/notice-list.tsx';
import { useIssueNotice } from './issues/use-issue-notice.ts';
import { useAlertText } from './use-alert-text.ts';

/** What needs a person, the worst first, and the way to where it is mended: work that fails, then the server itself. */
export function AlertPanel({ alerts, issues }: { alerts: readonly Alert[]; issues: readonly Issue[] }) {
  const { t } = useTranslation();
  const alertNotice = useAlertNotice();
  const issueNotice = useIssueNotice();
  const notices = [...alerts.map(alertNotice), ...issues.map(issueNotice)];
  const rank = ({ severity }: Notice) => (severity === 'bad' ? 0 : 1);
  return (
    <Section anchor="alerts" title={t('overview.alerts')}>
      {notices.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('overview.noAlerts')}
        </Text>
      ) : (
        <NoticeList notices={notices.sort((a, b) => rank(a) - rank(b))} />
      )}
    </Section>
  );
}

function useAlertNotice(): (alert: Alert) => Notice {
  const { t } = useTranslation();
  const textOf = useAlertText();
  return (alert) => {
    const { kind, severity, since, place, subject, cause } = alert;
    const time = formatDateTime(new Date(since));
    return {
      key: `${kind} ${place.tab} ${subject} ${cause}`,
      severity,
      ...textOf(alert),
      // What is to come has an end instead of a beginning.
      when: kind === 'certificate' ? t('overview.alertUntil', { time }) : t('overview.alertSince', { time }),
      // What is mended outside the console has no tab but this one.
      place: place.tab === 'overview' ? undefined : { path: placePath(place), title: placeTitle(place) },
    };
  };
}
