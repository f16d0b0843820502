import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { formatNumber } from '../figures/format-figures.ts';
import type { Column } from '../ui/facts/data-table.tsx';
import classes from './code-text.module.css';

interface Segment {
  readonly tsid: string;
  readonly seqno: number;
  readonly url: string;
  readonly duration: number;
  readonly size: number;
}

/** Technical columns, hidden on phones. */
const code = { isCode: true, isHiddenOnCards: true } as const;

/** Columns shared by all segment queues. */
export function useSegmentColumns() {
  const { t } = useTranslation();
  const locale = useLocale();
  const one = (value: number, unit: string, decimals = 1) => `${formatNumber(value, locale, decimals)}\u00a0${unit}`;
  const size = (unit: string, bytes: number, decimals: number): Column<Segment> => ({
    title: t('segments.column.size'),
    render: (row) => one(row.size / bytes, unit, decimals),
  });
  const columns = {
    tsid: { title: 'TSID', render: (row) => <CodeText text={row.tsid} />, ...code },
    seqno: {
      title: t('segments.column.seqno'),
      render: (row) => <span className={classes.number}>#{row.seqno}</span>,
      isName: true,
    },
    url: { title: 'URL', render: (row) => <CodeText text={row.url} />, ...code },
    duration: {
      title: t('segments.column.duration'),
      render: (row) => one(row.duration, t('segments.seconds')),
    },
    // Two decimals, because short segments would show 0 MB.
    sizeMb: size('MB', 1024 * 1024, 2),
    sizeKb: size('KB', 1024, 1),
  } satisfies Record<string, Column<Segment>>;
  /** Duration of a processing step under its abbreviated title. */
  const cost = <Row extends Segment>(title: string, hint: string, read: (row: Row) => number): Column<Row> => ({
    title,
    hint,
    isHiddenOnCards: true,
    render: (row) => one(read(row), 'ms'),
  });
  return { ...columns, cost };
}

/** Id or file name, truncated, in full on hover. */
function CodeText({ text }: { text: string }) {
  return (
    <span className={classes.code} title={text}>
      {text}
    </span>
  );
}
