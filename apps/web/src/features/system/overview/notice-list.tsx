import { Button, Text } from '@mantine/core';
import type { Issue } from '@weir/contract';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useIssueText } from '../../../components/diagnosis/use-issue-text.ts';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { useFeatures } from '../../../lib/feature.ts';
import { formatDateTime, joinSentences } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { useLocalPath } from '../../../lib/paths.ts';
import { isAdvice, issuePlace } from './alert-places.ts';
import classes from './notice-list.module.css';

export interface Notice {
  readonly key: string;
  readonly severity: 'bad' | 'warn';
  readonly title: string;
  readonly text: string;
  /** Start or end; empty if it does not matter. */
  readonly when: string;
  /** Tab that fixes it; undefined outside the console. */
  readonly place: { readonly path: string; readonly title: ParseKeys } | undefined;
}

export function NoticeList({ notices }: { notices: readonly Notice[] }) {
  return (
    <ul className={classes.notices}>
      {notices.map(({ key, ...notice }) => (
        <NoticeRow key={key} {...notice} />
      ))}
    </ul>
  );
}

function NoticeRow({ severity, title, text, when, place }: Omit<Notice, 'key'>) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <li className={classes.notice}>
      <div>
        <StatusLabel tone={severity} word={title} />
        {text !== '' && (
          <Text size="sm" mt={4}>
            {text}
          </Text>
        )}
        {when !== '' && (
          <Text size="sm" c="dimmed" mt={2}>
            {when}
          </Text>
        )}
      </div>
      {place && (
        <Button component={Link} to={localPath(place.path)} variant="default" size="xs" className={classes.go}>
          {t('overview.openTab', { tab: t(place.title) })}
        </Button>
      )}
    </li>
  );
}

/** Converts an issue of the server to a row. For advice, the start time does not matter. */
export function useIssueNotice(): (issue: Issue) => Notice {
  const { t } = useTranslation();
  const locale = useLocale();
  const features = useFeatures();
  const textOf = useIssueText();
  return (issue) => {
    const text = textOf(issue);
    const time = formatDateTime(new Date(issue.since));
    return {
      key: `${issue.id} ${issue.subject}`,
      severity: issue.severity,
      place: issuePlace(issue, features),
      title: text.of('title'),
      text: joinSentences([text.of('text'), text.of('remedy')], locale),
      when: isAdvice(issue) ? '' : t('overview.alertSince', { time }),
    };
  };
}
