import type { Issue } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useIssueText } from '../../../../components/diagnosis/use-issue-text.ts';
import { formatDateTime, joinSentences } from '../../../../lib/format.ts';
import { useLocale } from '../../../../lib/i18n.ts';
import { isAdvice, issuePlace } from './issue-places.ts';
import type { Notice } from './notice-list.tsx';

/** An issue of the server as a row. Since when something was not set up is of no use to anybody. */
export function useIssueNotice(): (issue: Issue) => Notice {
  const { t } = useTranslation();
  const locale = useLocale();
  const textOf = useIssueText();
  return (issue) => {
    const text = textOf(issue);
    const time = formatDateTime(new Date(issue.since));
    return {
      key: `${issue.id} ${issue.subject}`,
      severity: issue.severity,
      place: issuePlace(issue),
      title: text.of('title'),
      text: joinSentences([text.of('text'), text.of('remedy')], locale),
      when: isAdvice(issue) ? '' : t('overview.alertSince', { time }),
    };
  };
}
