import { SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ActiveStream, Diagnosis, StreamSamples } from '@weir/contract';
import { placeText, type SampleTable, streamLabel, type WirePlace } from '@weir/streams';
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IssueList } from '../../../components/diagnosis/issue-list.tsx';
import { VerdictLabel } from '../../../components/diagnosis/verdict-label.tsx';
import { FeatureParts } from '../../../components/feature-parts.tsx';
import { formatBitrate, formatNumber, formatPercent } from '../../../components/figures/format-figures.ts';
import { PlayText, PlayWays } from '../../../components/guide/guide-players.tsx';
import { type Guide, useGuide } from '../../../components/guide/use-guide.ts';
import type { PlayerState } from '../../../components/player/session/player-state.ts';
import { ActionTiles } from '../../../components/streams/action-tile.tsx';
import { DataAge } from '../../../components/streams/data-age.tsx';
import { FeedList } from '../../../components/streams/feed-row.tsx';
import { PreviewPlayer } from '../../../components/streams/preview-player.tsx';
import { settledBitrate } from '../../../components/streams/settled-bitrate.ts';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { useStreamPicture } from '../../../components/streams/thumbnail.tsx';
import { BroadcastsPanel } from '../../../components/timeline/broadcasts-panel.tsx';
import { TimelinePanel } from '../../../components/timeline/timeline-panel.tsx';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { type EmbedSize, embedCode, embedSizes } from '../../../lib/embed-code.ts';
import { liveSamplesQuery } from '../../../lib/events/live-samples.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { joinSamples } from '../../../lib/join-samples.ts';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';
import { ChartsPanel } from './charts-panel.tsx';
import { NumbersPanel } from './numbers-panel.tsx';
import side from './side-cards.module.css';
import { streamDetailQuery } from './stream-detail-query.ts';
import { latestOf, peakViewers } from './stream-figures.ts';
import { StreamHead } from './stream-head.tsx';
import classes from './stream-page.module.css';
import { ViewersPanel } from './viewers-panel.tsx';

export function StreamPage({ stream: place }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const name = placeText(place);
  const list = useQuery(streamsQuery);
  const detail = useQuery(streamDetailQuery(place)).data;
  const pushed = useQuery(liveSamplesQuery(place)).data;
  const guide = useGuide(`${place.app}/${place.stream}`, place.vhost);
  const seconds = useMemo(
    () => detail && (pushed ? joinSamples(detail.samples, pushed) : detail.samples),
    [detail, pushed],
  );
  const { player, delays, onState } = usePlayerDelays(seconds?.at.at(-1) ?? 0);
  // Picture, actions and verdict are drawn first; the rest takes as long as they do.
  const isRestDrawn = useDeferredValue(true, false);
  const isIt = (one: WirePlace) => placeText(one) === name;
  if (!list.data && list.failureCount === 0) return <PageSkeleton />;
  const live = list.data?.streams.find(isIt);
  const ended = list.data?.ended.find(isIt);
  return (
    <>
      <StreamHead place={place} live={live} ended={ended} freshness={list} guide={guide} />
      <div className={classes.room}>
        <section className={classes.picture} aria-label={streamLabel(place)}>
          <PlayerPanel place={place} live={live} guide={guide} onState={onState} />
          <ActionTiles label={t('streamPage.actions.title')}>
            <FeatureParts slot="streamAction" props={{ stream: place }} />
          </ActionTiles>
          <FeatureParts slot="streamInputs" props={{ stream: place }} />
        </section>
        <div className={classes.details}>
          <section id="feeds" tabIndex={-1} aria-labelledby="feeds-title" className={classes.feeds}>
            <h2 id="feeds-title">{t('streamPage.feeds.title')}</h2>
            <FeedList>
              <FeatureParts slot="streamFeed" props={{ stream: place }} />
            </FeedList>
            <p className={classes.noFeeds}>{t('streamPage.feeds.nothing')}</p>
          </section>
          {live && <NumbersPanel live={live} seconds={seconds} player={player} />}
          {isRestDrawn && seconds && (
            <ChartsPanel place={place} seconds={seconds} delays={delays} isLive={live !== undefined} />
          )}
          {isRestDrawn && live && detail && (
            <ViewersPanel place={place} viewers={detail.viewers} count={live.media?.viewers ?? detail.viewers.length} />
          )}
        </div>
        <div className={classes.rest}>
          {isRestDrawn && guide && <SharePanel place={place} guide={guide} />}
          {isRestDrawn && <BroadcastsPanel place={place} />}
        </div>
        <div className={classes.side}>
          {live && (
            <div className={classes.verdict}>
              <VerdictCard diagnosis={detail?.diagnosis} />
              <KeyFigures live={live} seconds={seconds} updatedAtMs={list.dataUpdatedAt} />
            </div>
          )}
          <div className={classes.timeline}>{isRestDrawn && <TimelinePanel place={place} isNarrow />}</div>
        </div>
      </div>
    </>
  );
}

/**
 * State of the player on this page, and its delay at each sample. Uses the times of the samples, so that a wrong browser clock does
 * not matter.
 */
function usePlayerDelays(newestMs: number) {
  const [delays, setDelays] = useState<SampleTable<'delayMs'>>({ at: [], columns: { delayMs: [] } });
  const [player, setPlayer] = useState<PlayerState>();
  const latest = useRef<number>(undefined);
  const onState = useCallback((state: PlayerState) => {
    latest.current = state.phase === 'playing' ? state.statistics.delayMs : undefined;
    setPlayer(state);
  }, []);
  useEffect(() => {
    const delayMs = latest.current;
    if (delayMs === undefined || newestMs === 0) return;
    setDelays((known) => joinSamples(known, { at: [newestMs], columns: { delayMs: [delayMs] } }));
  }, [newestMs]);
  return { player, delays, onState };
}

/** URLs to share, each with a QR code, and the embed code. None contains a secret. */
function SharePanel({ place, guide }: { place: WirePlace; guide: Guide }) {
  const { t } = useTranslation();
  return (
    <Section anchor="share" title={t('streamPage.share.title')} help={t('streamPage.share.help')}>
      <div className={classes.share}>
        <Stack gap="md">
          <p className={classes.text}>
            <PlayText />
          </p>
          <PlayWays guide={guide} />
        </Stack>
        <Embed place={place} guide={guide} />
      </div>
    </Section>
  );
}

function Embed({ place, guide }: { place: WirePlace; guide: Guide }) {
  const { t } = useTranslation();
  const [size, setSize] = useState<EmbedSize>('fluid');
  const player = new URL(guide.values.hlsSkinPlayer, window.location.href).href;
  return (
    <Stack gap="sm">
      <h3 className={classes.subtitle}>{t('streamPage.share.embed')}</h3>
      <SegmentedControl
        size="xs"
        className={classes.sizes}
        aria-label={t('streamPage.share.size')}
        value={size}
        onChange={(value) => setSize(embedSizes.find((one) => one === value) ?? 'fluid')}
        data={embedSizes.map((value) => ({
          value,
          label: value === 'fluid' ? t('streamPage.share.fluid') : value,
        }))}
      />
      <CopyField
        label={t('streamPage.share.code')}
        value={embedCode({ player, title: streamLabel(place), size })}
        help={t('streamPage.share.codeHelp')}
        isLong
      />
    </Stack>
  );
}

interface PlayerPanelProps {
  place: WirePlace;
  live: ActiveStream | undefined;
  /** Undefined until the playback abilities of this browser are known. */
  guide: Guide | undefined;
  onState: (state: PlayerState) => void;
}

/** The stream, or its last picture while it is off. */
function PlayerPanel({ place, live, guide, onState }: PlayerPanelProps) {
  if (!live) return <OffAir place={place} />;
  const frame = <div className={classes.frame} />;
  if (!guide) return frame;
  return (
    <PreviewPlayer
      stream={live}
      publisher={live.client_id}
      hasWhep={guide.rtcOffer.kind === 'ready' && guide.rtc.canPlay}
      onState={onState}
      pending={frame}
    />
  );
}

function OffAir({ place }: { place: WirePlace }) {
  const { t } = useTranslation();
  const picture = useStreamPicture(place, false);
  return (
    <div className={classes.frame}>
      {picture && <img src={picture} alt="" className={classes.last} />}
      <div className={classes.offAir} data-pictured={picture !== undefined || undefined}>
        <p className={classes.title}>{t('streamPage.offAirTitle')}</p>
        <p>{t('streamPage.offAirText')}</p>
      </div>
    </div>
  );
}

interface KeyFiguresProps {
  live: ActiveStream;
  seconds: StreamSamples | undefined;
  /** Arrival of the numbers in this browser. */
  updatedAtMs: number;
}

/** Loss that viewers notice. */
const noticedLoss = 1;

/** The four numbers that matter to a broadcaster. */
function KeyFigures({ live, seconds, updatedAtMs }: KeyFiguresProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { media } = live;
  const loss = latestOf(seconds, 'lossPercent');
  const peak = seconds ? peakViewers(seconds) : 0;
  const declared = media?.video?.fps;
  return (
    <dl className={side.figures} aria-label={t('live.facts.label')}>
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
      <div className={side.age} hidden={updatedAtMs === 0}>
        <dt hidden>{t('streamPage.numbers.age')}</dt>
        <dd className={side.more}>
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
    <div className={side.figure}>
      <dt>{term}</dt>
      <dd>
        <span className={side.value} data-tone={isBad ? 'warn' : undefined}>
          {children}
        </span>
        {more && <span className={side.more}>{more}</span>}
      </dd>
    </div>
  );
}

/** Health of the stream and advice. Overview, alerts and lists show the same verdict. */
function VerdictCard({ diagnosis }: { diagnosis: Diagnosis | undefined }) {
  const { t } = useTranslation();
  const isMeasured = !useEngineLacks('measurements');
  const verdict = isMeasured ? (diagnosis?.verdict ?? 'none') : 'none';
  return (
    <section className={side.verdict} data-verdict={verdict} aria-label={t('streamPage.health')} aria-live="polite">
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
      <h2 className={side.word}>
        <VerdictLabel verdict={verdict} />
      </h2>
      {issues.length > 0 ? <IssueList issues={issues} /> : <p>{t('streamPage.good')}</p>}
    </>
  );
}
