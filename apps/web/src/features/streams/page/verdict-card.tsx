import type { Diagnosis } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { IssueList } from '../../../components/diagnosis/issue-list.tsx';
import { VerdictLabel } from '../../../components/diagnosis/verdict-label.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';
import classes from './side-cards.module.css';

/** How the stream does, and what helps: the same verdict as in the overview, in alerts and in lists. */
export function VerdictCard({ diagnosis }: { diagnosis: Diagnosis | undefined }) {
  const { t } = useTranslation();
  const isMeasured = !useEngineLacks('measurements');
  const verdict = isMeasured ? (diagnosis?.verdict ?? 'none') : 'none';
  return (
    <section className={classes.verdict} data-verdict={verdict} aria-label={t('streamPage.health')} aria-live="polite">
      {isMeasured ? <Verdict diagnosis={diagnosis} /> : <p>{t('streamPage.notJudged')}</p>}
    </section>
  );
}

/** A stream has no verdict in its first seconds. */
function Verdict({ diagnosis }: { diagnosis: Diagnosis | undefined }) {
  const { t } = useTranslation();
  if (!diagnosis || diagnosis.verdict === 'none') {
    return <StatusLabel tone="busy" word={t('live.facts.measuring')} />;
  }
  const { verdict, issues } = diagnosis;
  return (
    <>
      <h2 className={classes.word}>
        <VerdictLabel verdict={verdict} />
      </h2>
      {issues.length > 0 ? <IssueList issues={issues} /> : <p>{t('streamPage.good')}</p>}
    </>
  );
}
