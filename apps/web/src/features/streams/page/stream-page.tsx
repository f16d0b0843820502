import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { placeText, streamLabel, type WirePlace } from '@weir/dialect';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useGuide } from '../../../components/guide/use-guide.ts';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { liveSecondsQuery } from '../../../lib/events/live-seconds.ts';
import { joinSamples } from '../../../lib/join-samples.ts';
import { ChartsPanel } from './charts-panel.tsx';
import { LivePicturePanel } from './live-picture-panel.tsx';
import { SharePanel } from './share-panel.tsx';
import { streamDetailQuery } from './stream-detail-query.ts';
import { OnAirLabel, StreamsLink } from './stream-head.tsx';
import { usePlayerDelays } from './use-player-delays.ts';
import { ViewersPanel } from './viewers-panel.tsx';

interface StreamPageProps {
  place: WirePlace;
  /** What other features do with the stream: a row or more each. */
  feeds: ReactNode;
  /** What happened to it, one after the other. */
  timeline?: ReactNode;
}

/** Everything about one stream, also after it has ended. */
export function StreamPage({ place, feeds, timeline }: StreamPageProps) {
  const { t } = useTranslation();
  const name = placeText(place);
  const list = useQuery(streamsQuery);
  const detail = useQuery(streamDetailQuery(place)).data;
  const pushed = useQuery(liveSecondsQuery(place)).data;
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
        {feeds}
      </Section>
      {live && detail && (
        <ViewersPanel place={place} viewers={detail.viewers} count={live.media?.viewers ?? detail.viewers.length} />
      )}
      {timeline}
      {guide && <SharePanel place={place} guide={guide} />}
    </Stack>
  );
}
