import { SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { placeText, type SampleTable, streamLabel, type WirePlace } from '@weir/streams';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FeatureParts } from '../../../components/feature-parts.tsx';
import { PlayText, PlayWays } from '../../../components/guide/guide-players.tsx';
import { type Guide, useGuide } from '../../../components/guide/use-guide.ts';
import type { PlayerState } from '../../../components/player/session/player-state.ts';
import { ActionTiles } from '../../../components/streams/action-tile.tsx';
import { FeedList } from '../../../components/streams/feed-row.tsx';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { BroadcastsPanel } from '../../../components/timeline/broadcasts-panel.tsx';
import { TimelinePanel } from '../../../components/timeline/timeline-panel.tsx';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { type EmbedSize, embedCode, embedSizes } from '../../../lib/embed-code.ts';
import { liveSamplesQuery } from '../../../lib/events/live-samples.ts';
import { joinSamples } from '../../../lib/join-samples.ts';
import { ChartsPanel } from './charts-panel.tsx';
import { NumbersPanel } from './numbers-panel.tsx';
import { PlayerPanel } from './player-panel.tsx';
import { KeyFigures, VerdictCard } from './side-cards.tsx';
import { streamDetailQuery } from './stream-detail-query.ts';
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
          {seconds && <ChartsPanel place={place} seconds={seconds} delays={delays} isLive={live !== undefined} />}
          {live && detail && (
            <ViewersPanel place={place} viewers={detail.viewers} count={live.media?.viewers ?? detail.viewers.length} />
          )}
        </div>
        <div className={classes.rest}>
          {guide && <SharePanel place={place} guide={guide} />}
          <BroadcastsPanel place={place} />
        </div>
        <div className={classes.side}>
          {live && (
            <div className={classes.verdict}>
              <VerdictCard diagnosis={detail?.diagnosis} />
              <KeyFigures live={live} seconds={seconds} updatedAtMs={list.dataUpdatedAt} />
            </div>
          )}
          <div className={classes.timeline}>
            <TimelinePanel place={place} isNarrow />
          </div>
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
