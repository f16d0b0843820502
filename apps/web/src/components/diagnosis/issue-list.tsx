import { Text } from '@mantine/core';
import type { Issue } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../ui/facts/moment.tsx';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import classes from './issue-list.module.css';

const apps = ['obs', 'vmix', 'ffmpeg'] as const;

/** What is wrong, the worst first: what it is, what to do, and where that is set in the programs people publish with. */
export function IssueList({ issues }: { issues: readonly Issue[] }) {
  return (
    <ul className={classes.issues}>
      {issues.map((issue) => (
        <IssueRow key={`${issue.id} ${issue.subject}`} issue={issue} />
      ))}
    </ul>
  );
}

function IssueRow({ issue: { id, severity, since, numbers, subject } }: { issue: Issue }) {
  const { t, i18n } = useTranslation();
  const values = { ...numbers, subject };
  const textOf = (part: string) => t(`diagnose.issue.${id}.${part}` as 'diagnose.issue.stalled.text', values);
  const tips = apps.filter((app) => i18n.exists(`diagnose.issue.${id}.${app}`));
  return (
    <li className={classes.issue}>
      <StatusLabel tone={severity} word={textOf('title')} />
      <Text size="sm">{textOf('text')}</Text>
      <Text size="sm">{textOf('remedy')}</Text>
      {tips.map((app) => (
        <Text key={app} size="sm">
          <span className={classes.app}>{t(`diagnose.app.${app}`)}</span> {textOf(app)}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {t('diagnose.since')} <Moment at={since} />
      </Text>
    </li>
  );
}
