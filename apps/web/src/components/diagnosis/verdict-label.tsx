import type { Diagnosis } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../ui/feedback/status-label.tsx';

const tones: Readonly<Record<Diagnosis['verdict'], Tone>> = { good: 'ok', ok: 'warn', bad: 'bad', none: 'off' };

export function VerdictLabel({ verdict, tinted = false }: { verdict: Diagnosis['verdict']; tinted?: boolean }) {
  const { t } = useTranslation();
  return <StatusLabel tone={tones[verdict]} word={t(`diagnose.verdict.${verdict}`)} tinted={tinted} />;
}
