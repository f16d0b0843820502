import type { ActiveStream, Diagnosis, StreamSamples } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IssueList } from '../../../components/diagnosis/issue-list.tsx';
import { VerdictLabel } from '../../../components/diagnosis/verdict-label.tsx';
import { formatBitrate, formatNumber, formatPercent } from '../../../components/figures/format-figures.ts';
import { DataAge } from '../../../components/streams/data-age.tsx';
import { settledBitrate } from '../../../components/streams/settled-bitrate.ts';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { useLocale } from '../../../lib/i18n.ts';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';
import classes from './side-cards.module.css';
import { latestOf, peakViewers } from './stream-figures.ts';

interface KeyFiguresProps {
  live: ActiveStream;
  seconds: StreamSamples | undefined;
  /** Arrival of the numbers in this browser. */
  updatedAtMs: number;
}

/** Loss that viewers notice. */
const noticedLoss = 1;

/** The four numbers that matter to a broadcaster. */
export function KeyFigures({ live, seconds, updatedAtMs }: KeyFiguresProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { media } = live;
  const loss = latestOf(seconds, 'lossPercent');
  const peak = seconds ? peakViewers(seconds) : 0;
  const declared = media?.video?.fps;
  return (
    <dl className={classes.figures} aria-label={t('live.facts.label')}>
      <Figure
        term={t('live.facts.viewers')}
        more={peak > 0 && t('timeline.peak', { number: formatNumber(peak, locale) })}
      >
        {media ? formatNumber(media.viewers, locale) : '–'}
      </Figure>
      <Figure term={t('live.facts.bitrate')}>
        {formatBitrate(settledBitrate(live), locale) ?? t('live.facts.measuring')}
      </Figure>
      <Figure
        term={t('streamPage.charts.fps')}
        more={declared !== undefined && t('streamPage.numbers.ofFps', { number: formatNumber(declared, locale, 1) })}
      >
        {media && media.fps > 0 ? t('live.facts.fps', { number: formatNumber(media.fps, locale, 1) }) : '–'}
      </Figure>
      <Figure term={t('streamPage.numbers.lost')} isBad={(loss ?? 0) >= noticedLoss}>
        {formatPercent(loss, locale) ?? '–'}
      </Figure>
      <div className={classes.age} hidden={updatedAtMs === 0}>
        <dt hidden>{t('streamPage.numbers.age')}</dt>
        <dd className={classes.more}>
          <DataAge updatedAtMs={updatedAtMs} fresh={t('streamPage.numbers.fresh')} />
        </dd>
      </div>
    </dl>
  );
}

interface FigureProps {
  term: string;
  more?: string | false;
  isBad?: boolean;
  children: ReactNode;
}

function Figure({ term, more, isBad = false, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{term}</dt>
      <dd>
        <span className={classes.value} data-tone={isBad ? 'warn' : undefined}>
          {children}
        </span>
        {more && <span className={classes.more}>{more}</span>}
      </dd>
    </div>
  );
}

/** How the stream does, and what helps: the same verdict as in the overview, in alerts and in lists. */
export function VerdictCard({ diagnosis }: { diagnosis: Diagnosis | undefined }) {
  const { t } = useTranslation();
  const isMeasured = !useEngineLacks('measurements');
  const verdict = isMeasured ? (diagnosis?.verdict ?? 'none') : 'none';
  return (
    <section className={classes.verdict} data-verdict={verdict} aria-label={t('streamPage.health')} aria-live="polite">
      {isMeasured ? <Verdict diagnosis={diagnosis} /> : <p>{t('streamPage.notJudged')}</p>}
    </section>
  );
}

/** A stream has no verdict in its first seconds. */
function Verdict({ diagnosis }: { diagnosis: Diagnosis | undefined }) {
  const { t } = useTranslation();
  if (!diagnosis || diagnosis.verdict === 'none') {
    return <StatusLabel tone="busy" word={t('live.facts.measuring')} />;
  }
  const { verdict, issues } = diagnosis;
  return (
    <>
      <h2 className={classes.word}>
        <VerdictLabel verdict={verdict} />
      </h2>
      {issues.length > 0 ? <IssueList issues={issues} /> : <p>{t('streamPage.good')}</p>}
    </>
  );
}
