import { Stack, Text } from '@mantine/core';
import type { AiAnswerer, OcrConfig, OcrState } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AiReason, AiSettingsLink } from '../../components/ai/ai-reason.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import classes from './ocr.module.css';
import { overallOf, overallTones } from './overall-state.ts';

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
  const overall = overallOf(config, state);
  const word = overall === 'live' ? t('ocr.head.reading', { stream: state.stream }) : t(`ocr.overall.${overall}`);
  const isUnused = !config.all && state.taken + state.cleanup === 0;
  const isUnprepared = isUnused && state.provider.by === 'nobody';
  return (
    <Section
      title={t('ocr.head.title')}
      help={t('ocr.head.help')}
      state={<StatusLabel tone={overallTones[overall]} word={word} tinted />}
    >
      <Stack gap="md">
        {isUnprepared ? (
          <EmptyState title={t('ocr.head.unused')} text={t('ocr.head.unusedText')}>
            <AiSettingsLink />
          </EmptyState>
        ) : (
          <AnswererLine answerer={state.provider} />
        )}
        {config.all && state.cause && <Failure cause={state.cause} />}
        {overall === 'waiting' && <Text size="sm">{t('ocr.head.waitingText')}</Text>}
        {isUnused && !isUnprepared && (
          <Text size="sm" c="dimmed">
            {t('ocr.head.offText')}
          </Text>
        )}
        {!isUnused && children}
        {state.taken > 0 && <Decisions state={state} />}
        {!isUnprepared && <div>{action}</div>}
      </Stack>
    </Section>
  );
}

/** Who reads the pictures, and what leaves this server for it. */
function AnswererLine({ answerer: { by, host, cause } }: { answerer: AiAnswerer }) {
  const { t } = useTranslation();
  if (by === 'nobody') return <AiReason cause={cause ?? 'no-provider'} tone="warn" />;
  return <Text size="sm">{by === 'provider' ? t('ocr.by.provider', { host }) : t('ocr.by.builtIn')}</Text>;
}

function Failure({ cause }: { cause: NonNullable<OcrState['cause']> }) {
  const { t } = useTranslation();
  if (cause !== 'no-picture') return <AiReason cause={cause} tone="warn" />;
  return (
    <Notice tone="warn" title={t('ocr.noPicture')}>
      <p>{t('ocr.noPictureRemedy')}</p>
    </Notice>
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
