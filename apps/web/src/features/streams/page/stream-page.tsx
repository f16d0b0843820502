import { SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { placeText, type SampleTable, streamLabel, type WirePlace } from '@weir/streams';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FeatureParts } from '../../../components/feature-parts.tsx';
import { PlayText, PlayWays } from '../../../components/guide/guide-players.tsx';
import { type Guide, useGuide } from '../../../components/guide/use-guide.ts';
import type { PlayerState } from '../../../components/player/session/player-state.ts';
import { FeedList } from '../../../components/streams/feed-row.tsx';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { BroadcastsPanel } from '../../../components/timeline/broadcasts-panel.tsx';
import { TimelinePanel } from '../../../components/timeline/timeline-panel.tsx';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { liveSamplesQuery } from '../../../lib/events/live-samples.ts';
import { joinSamples } from '../../../lib/join-samples.ts';
import { ChartsPanel } from './charts-panel.tsx';
import { type EmbedSize, embedCode, embedSizes } from './embed-code.ts';
import { LivePicturePanel } from './live-picture-panel.tsx';
import { streamDetailQuery } from './stream-detail-query.ts';
import { OnAirLabel, StreamsLink } from './stream-head.tsx';
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
  const { delays, onState } = usePlayerDelays(seconds?.at.at(-1) ?? 0);
  const isIt = (one: WirePlace) => placeText(one) === name;
  if (!list.data && list.failureCount === 0) return <PageSkeleton />;
  const live = list.data?.streams.find(isIt);
  const ended = list.data?.ended.find(isIt);
  return (
    <Stack gap="md">
      <StreamsLink />
      <Section
        title={streamLabel(place)}
        state={
          <div role="status">
            <OnAirLabel live={live} ended={ended} freshness={list} />
          </div>
        }
      >
        <LivePicturePanel live={live} diagnosis={detail?.diagnosis} guide={guide} onState={onState} />
      </Section>
      {seconds && <ChartsPanel place={place} seconds={seconds} delays={delays} isLive={live !== undefined} />}
      <Section anchor="feeds" title={t('streamPage.feeds.title')} help={t('streamPage.feeds.help')}>
        <FeedList>
          <FeatureParts slot="streamFeed" props={{ stream: place }} />
        </FeedList>
      </Section>
      {live && detail && (
        <ViewersPanel place={place} viewers={detail.viewers} count={live.media?.viewers ?? detail.viewers.length} />
      )}
      <TimelinePanel place={place} />
      <BroadcastsPanel place={place} />
      {guide && <SharePanel place={place} guide={guide} />}
    </Stack>
  );
}

/**
 * Delay of the player on this page at each sample. Uses the times of the samples, so that a wrong browser clock does
 * not matter.
 */
function usePlayerDelays(newestMs: number) {
  const [delays, setDelays] = useState<SampleTable<'delayMs'>>({ at: [], columns: { delayMs: [] } });
  const latest = useRef<number>(undefined);
  const onState = useCallback(({ phase, statistics: { delayMs } }: PlayerState) => {
    latest.current = phase === 'playing' ? delayMs : undefined;
  }, []);
  useEffect(() => {
    const delayMs = latest.current;
    if (delayMs === undefined || newestMs === 0) return;
    setDelays((known) => joinSamples(known, { at: [newestMs], columns: { delayMs: [delayMs] } }));
  }, [newestMs]);
  return { delays, onState };
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
