import { useQuery } from '@tanstack/react-query';
import type { WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { findProgram, programsQuery } from './program-queries.ts';
import { programCondition } from './program-state.ts';

/** Says on a card or beside a title that a stream is on its backup or slate. */
export function ProgramBadge({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const condition = useQuery({
    ...programsQuery,
    select: ({ programs }) => {
      const program = findProgram(programs, stream);
      return program && programCondition(program);
    },
  }).data;
  if (condition !== 'backup' && condition !== 'slate') return null;
  return <StatusLabel tone={condition === 'slate' ? 'bad' : 'warn'} word={t(`program.badge.${condition}`)} tinted />;
}
