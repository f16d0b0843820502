import { Text } from '@mantine/core';
import type { OcrConfig, OcrState } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AiTaskHeader } from '../../components/ai-task/ai-task-header.tsx';
import classes from './ocr.module.css';
import { OcrFailure } from './ocr-failure.tsx';
import { ocrOverallState, overallTones } from './overall-state.ts';

interface OcrHeaderProps {
  config: OcrConfig;
  state: OcrState;
  /** The button that changes it. */
  action: ReactNode;
  children: ReactNode;
}

/** What is read now, by whom, what became of the segments, and what is wrong. */
export function OcrHeader({ config, state, action, children }: OcrHeaderProps) {
  const { t } = useTranslation();
  const overall = ocrOverallState(config, state);
  return (
    <AiTaskHeader
      kind="ocr"
      tone={overallTones[overall]}
      word={overall === 'live' ? t('ocr.head.reading', { stream: state.stream }) : t(`ocr.overall.${overall}`)}
      isUnused={!config.all && state.taken + state.cleanup === 0}
      provider={state.provider}
      news={
        <>
          {config.all && state.cause && <OcrFailure cause={state.cause} />}
          {overall === 'waiting' && <Text size="sm">{t('ocr.head.waitingText')}</Text>}
        </>
      }
      action={action}
    >
      {children}
      {state.taken > 0 && <Decisions state={state} />}
    </AiTaskHeader>
  );
}

/** What became of each segment. */
function Decisions({ state: { taken, called, failed, skipped } }: { state: OcrState }) {
  const { t } = useTranslation();
  const parts = [
    t('ocr.tally.taken', { count: taken }),
    t('ocr.tally.called', { count: called }),
    ...(skipped.unchanged > 0 ? [t('ocr.tally.unchanged', { count: skipped.unchanged })] : []),
    ...(skipped.interval > 0 ? [t('ocr.tally.interval', { count: skipped.interval })] : []),
    ...(skipped.off > 0 ? [t('ocr.tally.off', { count: skipped.off })] : []),
    ...(skipped.dropped > 0 ? [t('ocr.tally.dropped', { count: skipped.dropped })] : []),
    ...(failed > 0 ? [t('ocr.tally.failed', { count: failed })] : []),
  ];
  return (
    <ul className={classes.tally} aria-label={t('ocr.tally.label')}>
      {parts.map((part) => (
        <li key={part}>{part}</li>
      ))}
    </ul>
  );
}
