import { useQuery } from '@tanstack/react-query';
import type { ActiveStream, Diagnosis } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../ui/feedback/status-label.tsx';
import { IssueList } from './issue-list.tsx';
import { streamDetailQuery } from './stream-detail-query.ts';

const tones: Readonly<Record<Diagnosis['verdict'], Tone>> = { good: 'ok', ok: 'warn', bad: 'bad', none: 'off' };

/** How a live stream does: one word, and what is wrong with it if anything is. */
export function StreamHealth({ stream }: { stream: ActiveStream }) {
  const { t } = useTranslation();
  const { data } = useQuery(streamDetailQuery(stream));
  if (!data || data.diagnosis.verdict === 'none') return null;
  const { verdict, issues } = data.diagnosis;
  return (
    <div>
      <StatusLabel tone={tones[verdict]} word={t(`diagnose.verdict.${verdict}`)} tinted />
      {issues.length > 0 && <IssueList issues={issues} />}
    </div>
  );
}
