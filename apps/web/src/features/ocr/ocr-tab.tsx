import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  aiHosts,
  type OcrConfig,
  type OcrDoneSegment,
  type OcrImageSegment,
  type OcrReadSegment,
  type OcrState,
} from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../../components/ai/ai-reason.tsx';
import { AiTaskHeader } from '../../components/ai-task/ai-task-header.tsx';
import { AiTaskPage, AiTaskTab } from '../../components/ai-task/ai-task-tab.tsx';
import { formatNumber } from '../../components/figures/format-figures.ts';
import { QueueBody } from '../../components/segments/queue-body.tsx';
import { QueueTable } from '../../components/segments/queue-table.tsx';
import { useSegmentColumns } from '../../components/segments/use-segment-columns.tsx';
import type { Column } from '../../components/ui/facts/data-table.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { useLocale } from '../../lib/i18n.ts';
import classes from './ocr.module.css';
import {
  callbackQueueQuery,
  cleanupQueueQuery,
  ocrLiveQueueQuery,
  ocrQuery,
  ocrQueueQuery,
  ocrStateQuery,
} from './ocr-queries.ts';
import { OcrService, useOcrForm } from './ocr-service.tsx';
import { ocrOverallState, overallTones } from './overall-state.ts';
import { LastPicture, RunningTexts } from './running-texts.tsx';

/** Text recognition in live video: state, last result, queues and settings. */
export function OcrTab() {
  return (
    <AiTaskTab settings={useQuery(ocrQuery)} state={useQuery(ocrStateQuery)}>
      {(settings, state) => <Loaded {...settings} state={state} />}
    </AiTaskTab>
  );
}

/** Panel keys of the queues, given by the specification. */
const keys = { live: '2', ocr: '3', callback: '4', cleanup: '5' } as const;

function Loaded({ config, task, state }: { config: OcrConfig; task: { uuid: string }; state: OcrState }) {
  const { t } = useTranslation();
  const form = useOcrForm(config, task.uuid);
  const queue = (name: keyof typeof keys, title: string, content: ReactNode) => {
    const words = { title, help: t(`ocr.queueHelp.${name}`), word: t(`ocr.pipeline.${name}`) };
    return { key: keys[name], ...words, count: state[name], content };
  };
  const overall = ocrOverallState(config, state);
  const isUnused = !config.all && state.taken + state.cleanup === 0;
  return (
    <AiTaskPage
      kind="ocr"
      form={form}
      state={{
        tone: overallTones[overall],
        word: overall === 'live' ? t('process.state.live') : t(`ocr.overall.${overall}`),
      }}
      purpose={overall === 'live' ? t('ocr.head.reading', { stream: state.stream }) : t('nav.purpose.ocr')}
      isUnused={isUnused}
      picture={<LastPicture />}
      text={<RunningTexts isOn={config.all} />}
      details={<OcrHeader config={config} state={state} isUnused={isUnused} />}
      result={{ title: t('ocr.last.title'), help: t('ocr.last.help'), content: <LastObject /> }}
      queues={[
        queue('live', t('segments.live'), <OcrLiveQueue />),
        queue('ocr', t('ocr.ocr'), <OcrQueue />),
        queue('callback', t('ocr.cbq'), <CallbackQueue />),
        queue('cleanup', t('ocr.clq'), <CleanupQueue />),
      ]}
      service={<OcrService form={form} segments={state.live + state.ocr + state.callback + state.cleanup} />}
      introduction={<Introduction />}
    />
  );
}

const facts = ['summary', 'first', 'often', 'privacy'] as const;

function Introduction() {
  const { t } = useTranslation();
  return (
    <>
      {facts.map((fact, index) => (
        <Text key={fact} size="sm" maw={760} mt={index === 0 ? 0 : 'sm'}>
          {t(`ocr.intro.${fact}`)}
        </Text>
      ))}
    </>
  );
}

interface OcrHeaderProps {
  config: OcrConfig;
  state: OcrState;
  isUnused: boolean;
}

/** Provider, counts and problems. */
function OcrHeader({ config, state, isUnused }: OcrHeaderProps) {
  const { t } = useTranslation();
  return (
    <AiTaskHeader
      kind="ocr"
      isUnused={isUnused}
      provider={state.provider}
      news={
        <>
          {config.all && state.cause && <OcrFailure cause={state.cause} />}
          {ocrOverallState(config, state) === 'waiting' && <Text size="sm">{t('ocr.head.waitingText')}</Text>}
        </>
      }
    >
      {state.taken > 0 && <Decisions state={state} />}
    </AiTaskHeader>
  );
}

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

function LastObject() {
  const { t } = useTranslation();
  const query = useQuery(cleanupQueueQuery);
  const last = query.data?.segments.at(-1);
  return (
    <QueueBody query={query} isEmpty={!last} empty={t('ocr.nolast')}>
      {last && <Shown segment={last} />}
    </QueueBody>
  );
}

function Shown({ segment }: { segment: OcrDoneSegment }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { tsid, stream, duration, size, eic, ocrc, cbc, image, outcome, ocr, cause, answeredBy, model, prompt } =
    segment;
  const figure = (value: number, unit: string) => `${formatNumber(value, locale, 1)}\u00a0${unit}`;
  const isBuiltIn = answeredBy === aiHosts.builtIn;
  const readBy = isBuiltIn ? t('ocr.last.builtIn') : [model || t('ocr.last.defaultModel'), answeredBy].join(' · ');
  const facts: [string, string][] = [
    [t('ocr.last.segment'), tsid],
    [t('ocr.last.stream'), stream],
    [t('ocr.last.duration'), figure(duration, t('segments.seconds'))],
    [t('ocr.last.cost'), figure(eic + ocrc + cbc, 'ms')],
    [t('ocr.last.size'), figure(size / 1024, 'KB')],
    ...(answeredBy === '' ? [] : ([[t('ocr.last.model'), readBy]] as [string, string][])),
    ...(answeredBy === '' || isBuiltIn ? [] : ([[t('ocr.last.prompt'), prompt]] as [string, string][])),
  ];
  return (
    <div className={classes.last}>
      {image !== '' && <img className={classes.image} src={image} alt={t('ocr.last.alt')} />}
      <Stack gap="md">
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {outcome === 'called' && ocr !== '' && <pre className={classes.result}>{ocr}</pre>}
        {outcome === 'called' && ocr === '' && (
          <Text size="sm" c="dimmed">
            {t('ocr.noText')}
          </Text>
        )}
        {outcome === 'skipped' && (
          <Text size="sm" c="dimmed">
            {t('ocr.notRead')}
          </Text>
        )}
        {outcome === 'failed' && cause && <OcrFailure cause={cause} />}
      </Stack>
    </div>
  );
}

function OcrFailure({ cause }: { cause: NonNullable<OcrState['cause']> }) {
  const { t } = useTranslation();
  if (cause !== 'no-picture') return <AiReason cause={cause} tone="warn" />;
  return (
    <Notice tone="warn" title={t('ocr.noPicture')}>
      <p>{t('ocr.noPictureRemedy')}</p>
    </Notice>
  );
}

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

function OcrLiveQueue() {
  const { t } = useTranslation();
  const query = useQuery(ocrLiveQueueQuery);
  return (
    <QueueTable query={query} columns={useColumns().live} label={t('segments.live')} empty={t('segments.nolive')} />
  );
}

function OcrQueue() {
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

function CallbackQueue() {
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

function CleanupQueue() {
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
