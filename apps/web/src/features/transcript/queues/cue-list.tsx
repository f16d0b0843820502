import { Text } from '@mantine/core';
import type { AsrSegment, FixSegment, OverlaySegment } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSegmentColumns } from '../../../components/segments/use-segment-columns.tsx';
import type { Column } from '../../../components/ui/facts/data-table.tsx';
import classes from './queues.module.css';
import { cueFacts } from './segment-facts.ts';

interface CueListProps {
  segment: Pick<FixSegment, 'asrs' | 'uca' | 'edited'>;
  actionOf?: (index: number, text: string) => ReactNode;
}

/** Cues of a segment. Cleared cues are struck through. */
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

export function useColumns() {
  const { t } = useTranslation();
  const { tsid, seqno, url, duration, sizeMb, sizeKb, cost } = useSegmentColumns();
  const eac = cost<AsrSegment>('EAC', t('transcript.eac'), (row) => row.eac);
  const asrc = cost<FixSegment>('ASRC', t('transcript.asrc'), (row) => row.asrc);
  const olc = cost<OverlaySegment>('OLC', t('transcript.olc'), (row) => row.olc);
  const cues: Column<FixSegment> = {
    title: t('transcript.column.cues'),
    hint: t('transcript.column.cuesHint'),
    isHiddenOnCards: true,
    render: (row) => {
      const { count, asrsMaxLength, asrsMaxWords } = cueFacts(row);
      const spelled = t('transcript.column.cuesOf', { count, length: asrsMaxLength, words: asrsMaxWords });
      return <span title={spelled}>{`${count}/${asrsMaxLength}/${asrsMaxWords}`}</span>;
    },
  };
  return {
    live: [tsid, seqno, url, duration, sizeMb],
    asr: [seqno, url, duration, eac, sizeKb],
    fix: [seqno, url, duration, eac, asrc, cues, sizeKb],
    overlay: [seqno, url, duration, eac, asrc, olc, cues, sizeKb],
  };
}
