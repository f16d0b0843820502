import { UnstyledButton } from '@mantine/core';
import type { TranscriptStream } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { IconChevronRight } from '../../../components/ui/theme/icons.ts';
import classes from './pipeline.module.css';

const steps = ['live', 'asr', 'fix', 'overlay'] as const;
export type QueueName = (typeof steps)[number];

interface PipelineProps {
  stream: Pick<TranscriptStream, QueueName>;
  /** Opens the table of a queue. */
  onOpen: (queue: QueueName) => void;
}

/** Where the segments of a stream are, in one line from its arrival to the output. */
export function Pipeline({ stream, onOpen }: PipelineProps) {
  const { t } = useTranslation();
  return (
    <ol className={classes.pipeline} aria-label={t('transcript.pipeline.label')}>
      {steps.map((step, index) => (
        <li key={step} className={classes.step}>
          {index > 0 && <IconChevronRight size={16} aria-hidden className={classes.arrow} />}
          <UnstyledButton className={classes.button} onClick={() => onOpen(step)}>
            <span className={classes.count} data-empty={stream[step] === 0 || undefined}>
              {stream[step]}
            </span>
            <span className={classes.name}>{t(`transcript.pipeline.${step}`)}</span>
          </UnstyledButton>
        </li>
      ))}
    </ol>
  );
}
