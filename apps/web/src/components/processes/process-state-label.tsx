import type { ProcessReport, ProcessState } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../ui/feedback/status-label.tsx';

const tones: Record<ProcessState, Tone> = {
  off: 'off',
  waiting: 'busy',
  starting: 'busy',
  live: 'ok',
  reconnecting: 'warn',
  failing: 'bad',
  stopping: 'off',
};

export function ProcessStateLabel({ report, tinted = true }: { report: ProcessReport; tinted?: boolean }) {
  return <StatusLabel tone={tones[report.state]} word={useStateWord(report)} tinted={tinted} />;
}

function useStateWord({ state, failures }: ProcessReport): string {
  const { t } = useTranslation();
  const isCounted = (state === 'reconnecting' || state === 'failing') && failures > 1;
  return isCounted ? t(`process.stateCounted.${state}`, { count: failures }) : t(`process.state.${state}`);
}
