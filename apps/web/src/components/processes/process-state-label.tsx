import type { ProcessReport, ProcessState } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../ui/status-label.tsx';

const tones: Record<ProcessState, Tone> = {
  off: 'off',
  waiting: 'busy',
  starting: 'busy',
  live: 'ok',
  reconnecting: 'warn',
  failing: 'bad',
  stopping: 'off',
};

/** What it does, in one word. */
export function ProcessStateLabel({ report, tinted = true }: { report: ProcessReport; tinted?: boolean }) {
  const { t } = useTranslation();
  const { state, failures } = report;
  const isCounted = (state === 'reconnecting' || state === 'failing') && failures > 1;
  const word = isCounted ? t(`process.stateCounted.${state}`, { count: failures }) : t(`process.state.${state}`);
  return <StatusLabel tone={tones[state]} word={word} tinted={tinted} />;
}
