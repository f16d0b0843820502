import { useQuery } from '@tanstack/react-query';
import type { OcrDoneSegment, OcrImageSegment, OcrReadSegment } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { QueueTable } from '../../components/segments/queue-table.tsx';
import { useSegmentColumns } from '../../components/segments/use-segment-columns.tsx';
import type { Column } from '../../components/ui/facts/data-table.tsx';
import classes from './ocr.module.css';
import { callbackQueueQuery, cleanupQueueQuery, ocrLiveQueueQuery, ocrQueueQuery } from './ocr-queries.ts';

function useColumns() {
  const { t } = useTranslation();
  const { tsid, seqno, url, duration, sizeMb, sizeKb, cost } = useSegmentColumns();
  const eic = cost<OcrImageSegment>('EIC', t('ocr.eic'), (row) => row.eic);
  const ocrc = cost<OcrReadSegment>('OCRC', t('ocr.ocrc'), (row) => row.ocrc);
  const cbc = cost<OcrDoneSegment>('CBC', t('ocr.cbc'), (row) => row.cbc);
  const text: Column<OcrReadSegment> = { title: t('ocr.result'), render: (row) => <Result segment={row} /> };
  return {
    live: [tsid, seqno, url, duration, sizeMb],
    ocr: [seqno, url, duration, eic, sizeKb],
    callback: [seqno, url, duration, eic, ocrc, sizeKb, text],
    cleanup: [seqno, url, duration, eic, ocrc, cbc, sizeKb, text],
  };
}

function Result({ segment: { outcome, ocr, cause } }: { segment: OcrReadSegment }) {
  const { t } = useTranslation();
  if (outcome === 'called' && ocr !== '') return <span className={classes.cell}>{ocr}</span>;
  if (outcome === 'failed' && cause) {
    const why = cause === 'no-picture' ? t('ocr.noPictureHere') : t(`ai.why.${cause}`);
    return <span className={classes.missing}>{why}</span>;
  }
  return <span className={classes.missing}>{outcome === 'called' ? t('ocr.noText') : t('ocr.notRead')}</span>;
}

export function OcrLiveQueue() {
  const { t } = useTranslation();
  const query = useQuery(ocrLiveQueueQuery);
  return (
    <QueueTable query={query} columns={useColumns().live} label={t('segments.live')} empty={t('segments.nolive')} />
  );
}

export function OcrQueue() {
  const { t } = useTranslation();
  const query = useQuery(ocrQueueQuery);
  return (
    <QueueTable
      query={query}
      columns={useColumns().ocr}
      label={t('ocr.ocr')}
      empty={t('ocr.noocr')}
      legend={t('ocr.legend.ocr')}
    />
  );
}

export function CallbackQueue() {
  const { t } = useTranslation();
  const query = useQuery(callbackQueueQuery);
  return (
    <QueueTable
      query={query}
      columns={useColumns().callback}
      label={t('ocr.cbq')}
      empty={t('ocr.nocb')}
      legend={t('ocr.legend.callback')}
    />
  );
}

export function CleanupQueue() {
  const { t } = useTranslation();
  const query = useQuery(cleanupQueueQuery);
  return (
    <QueueTable
      query={query}
      columns={useColumns().cleanup}
      label={t('ocr.clq')}
      empty={t('ocr.nocl')}
      legend={t('ocr.legend.cleanup')}
    />
  );
}
