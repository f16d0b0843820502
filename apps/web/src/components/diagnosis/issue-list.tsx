import { Text } from '@mantine/core';
import type { Issue } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../ui/facts/moment.tsx';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import classes from './issue-list.module.css';
import { useIssueText } from './use-issue-text.ts';

const apps = ['obs', 'vmix', 'ffmpeg'] as const;

/** Issues, worst first, with cause, remedy and the settings of common encoders. */
export function IssueList({ issues }: { issues: readonly Issue[] }) {
  return (
    <ul className={classes.issues}>
      {issues.map((issue) => (
        <IssueRow key={`${issue.id} ${issue.subject}`} issue={issue} />
      ))}
    </ul>
  );
}

function IssueRow({ issue }: { issue: Issue }) {
  const { t } = useTranslation();
  const text = useIssueText()(issue);
  return (
    <li className={classes.issue}>
      <StatusLabel tone={issue.severity} word={text.of('title')} />
      <Text size="sm">{text.of('text')}</Text>
      <Text size="sm">{text.of('remedy')}</Text>
      {apps.filter(text.has).map((app) => (
        <Text key={app} size="sm">
          <span className={classes.app}>{t(`diagnose.app.${app}`)}</span> {text.of(app)}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {t('diagnose.since')} <Moment at={issue.since} />
      </Text>
    </li>
  );
}
