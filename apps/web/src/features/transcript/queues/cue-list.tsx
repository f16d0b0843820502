import { Text } from '@mantine/core';
import type { FixSegment } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './queues.module.css';

interface CueListProps {
  segment: Pick<FixSegment, 'asrs' | 'uca' | 'edited'>;
  /** What can be done with a cue. */
  actionOf?: (index: number, text: string) => ReactNode;
}

/** What was said in a segment, cue by cue. What was cleared is struck through. */
export function CueList({ segment: { asrs, uca, edited }, actionOf }: CueListProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.text}>
      {asrs.length === 0 && !actionOf && '–'}
      {asrs.map(({ text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cue has no other name than its place
        <div key={index} className={classes.cue}>
          <span>{uca ? <del className={classes.cleared}>{text}</del> : text}</span>
          {actionOf?.(index, text)}
        </div>
      ))}
      {(uca || edited) && (
        <Text size="xs" c="dimmed">
          {uca ? t('transcript.cleared') : t('transcript.edited')}
        </Text>
      )}
    </div>
  );
}
