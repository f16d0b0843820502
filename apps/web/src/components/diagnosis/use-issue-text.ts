import type { Issue } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';

interface IssueText {
  readonly of: (part: IssuePart) => string;
  readonly has: (part: IssuePart) => boolean;
}

/** What it is, what it follows from, what to do; then where that is set in the programs people publish with. */
type IssuePart = 'title' | 'text' | 'remedy' | 'obs' | 'vmix' | 'ffmpeg';

/** An issue in the reader's words, with its numbers in them. */
export function useIssueText(): (issue: Issue) => IssueText {
  const { t, i18n } = useTranslation();
  const isSeparate = useEngineLacks('process');
  return ({ id, numbers, subject }) => {
    // A media server that is no process of ours is started by others.
    const words = id === 'engine-away' && isSeparate ? 'media-server-away' : id;
    const { count = numbers.days ?? 0 } = numbers;
    const values = { ...numbers, subject, count };
    return {
      of: (part) => t(`diagnose.issue.${words}.${part}` as 'diagnose.issue.stalled.text', values),
      has: (part) => i18n.exists(`diagnose.issue.${words}.${part}`, { count }),
    };
  };
}
