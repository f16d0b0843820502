import type { AsrSegment, FixSegment, LiveSegment, OverlaySegment } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { plainNumber } from '../../../components/figures/figures.ts';
import type { Column } from '../../../components/ui/facts/data-table.tsx';
import { useLocale } from '../../../lib/i18n.ts';
import { CodeText } from './code-text.tsx';
import { cueFacts, kilobytes, megabytes } from './segment-facts.ts';

/** Says nothing that somebody on the way needs. */
const code = { isCode: true, isHiddenOnCards: true } as const;
const cost = { isHiddenOnCards: true } as const;

/** The columns of the four queues, with the units and hints that each has. */
export function useColumns() {
  const { t } = useTranslation();
  const locale = useLocale();
  const one = (value: number, unit: string) => `${plainNumber(value, locale, 1)}\u00a0${unit}`;

  const tsid: Column<LiveSegment> = {
    title: 'TSID',
    render: (row) => <CodeText text={row.tsid} />,
    ...code,
  };
  const seqno: Column<LiveSegment> = {
    title: t('transcript.column.seqno'),
    render: (row) => `#${row.seqno}`,
    isName: true,
  };
  const url: Column<LiveSegment> = { title: 'URL', render: (row) => <CodeText text={row.url} />, ...code };
  const duration: Column<LiveSegment> = {
    title: t('transcript.column.duration'),
    render: (row) => one(row.duration, t('transcript.unit.seconds')),
  };
  const sizeMb: Column<LiveSegment> = {
    title: t('transcript.column.size'),
    render: (row) => one(megabytes(row.size), 'MB'),
  };
  const sizeKb: Column<LiveSegment> = {
    title: t('transcript.column.size'),
    render: (row) => one(kilobytes(row.size), 'KB'),
  };
  const eac: Column<AsrSegment> = {
    title: 'EAC',
    hint: t('transcript.eac'),
    render: (row) => one(row.eac, 'ms'),
    ...cost,
  };
  const asrc: Column<FixSegment> = {
    title: 'ASRC',
    hint: t('transcript.asrc'),
    render: (row) => one(row.asrc, 'ms'),
    ...cost,
  };
  const olc: Column<OverlaySegment> = {
    title: 'OLC',
    hint: t('transcript.olc'),
    render: (row) => one(row.olc, 'ms'),
    ...cost,
  };
  const cues: Column<FixSegment> = {
    title: t('transcript.column.cues'),
    hint: t('transcript.column.cuesHint'),
    ...cost,
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
  } satisfies {
    live: Column<LiveSegment>[];
    asr: Column<AsrSegment>[];
    fix: Column<FixSegment>[];
    overlay: Column<OverlaySegment>[];
  };
}
