import { Text } from '@mantine/core';
import type { StreamGlance } from '@weir/contract';
import { placeText } from '@weir/dialect';
import { useTranslation } from 'react-i18next';
import { IssueList } from '../../../../components/diagnosis/issue-list.tsx';
import { StreamLink } from '../../../../components/streams/stream-link.tsx';
import classes from './live-panel.module.css';

/** What to do about more streams at a time is found on their pages. */
const mostShown = 3;

/** What is wrong with what is on air and how it is mended, the worst first. */
export function ProblemList({ glances }: { glances: readonly StreamGlance[] }) {
  const { t } = useTranslation();
  const rank = ({ diagnosis }: StreamGlance) => (diagnosis.verdict === 'bad' ? 0 : 1);
  const wrong = glances
    .filter(({ diagnosis }) => diagnosis.issues.length > 0)
    .sort((a, b) => rank(a) - rank(b) || (placeText(a) < placeText(b) ? -1 : 1));
  if (wrong.length === 0) return null;
  return (
    <div className={classes.problems}>
      {wrong.slice(0, mostShown).map((glance) => (
        <div key={placeText(glance)}>
          <StreamLink stream={glance} className={classes.problemName} />
          <IssueList issues={glance.diagnosis.issues} />
        </div>
      ))}
      {wrong.length > mostShown && (
        <Text size="sm" c="dimmed">
          {t('overview.moreProblems', { count: wrong.length - mostShown })}
        </Text>
      )}
    </div>
  );
}
