import { Button, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ActiveStream, consoleTimes, type StreamMedia, streamsApi } from '@weir/contract';
import { defaultVhost, placeText } from '@weir/streams';
import type { ParseKeys } from 'i18next';
import { Activity, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { IssueList } from '../../components/diagnosis/issue-list.tsx';
import { VerdictLabel } from '../../components/diagnosis/verdict-label.tsx';
import { FeatureParts } from '../../components/feature-parts.tsx';
import { PlayText, PlayWays, WordPressFields } from '../../components/guide/guide-players.tsx';
import { RotateButton } from '../../components/guide/rotate-button.tsx';
import { type Guide, useGuide } from '../../components/guide/use-guide.ts';
import { ActionTiles } from '../../components/streams/action-tile.tsx';
import { StreamFacts } from '../../components/streams/facts/stream-facts.tsx';
import { StreamFigures } from '../../components/streams/facts/stream-figures.tsx';
import { useEndedText } from '../../components/streams/facts/use-ended-text.ts';
import { overviewQuery } from '../../components/streams/overview-query.ts';
import { PreviewPlayer } from '../../components/streams/preview-player.tsx';
import { parseStreamQuery, streamPath } from '../../components/streams/stream-link.tsx';
import { useStreamName } from '../../components/streams/stream-name.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { Thumbnail } from '../../components/streams/thumbnail.tsx';
import { Answers } from '../../components/ui/facts/answers.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { useLocalPath } from '../../lib/paths.ts';
import { pollUnlessEventsArrive } from '../../lib/queries/polling.ts';
import { PublishWays } from './publish-ways.tsx';
import classes from './stream-watch.module.css';
import { WatchNotices } from './watch-notices.tsx';
import { type WatchState, watchState } from './watch-state.ts';

/** Shows the guide, or the stream named by the address. The guide stays mounted. */
export function LiveTab() {
  const [query] = useSearchParams();
  const stream = query.get('tab') === 'live' ? parseStreamQuery(query) : undefined;
  const [isGuided, setIsGuided] = useState(stream === undefined);
  if (!isGuided && !stream) setIsGuided(true);
  return (
    <>
      {isGuided && (
        <Activity mode={stream ? 'hidden' : 'visible'}>
          <LiveGuide />
        </Activity>
      )}
      {stream && <FeatureParts key={placeText(stream)} slot="streamPage" props={{ stream }} />}
    </>
  );
}

/** Shared stream list, polled faster while the user waits for a stream. */
const watchedStreamsQuery = queryOptions({
  ...streamsQuery,
  refetchInterval: pollUnlessEventsArrive(consoleTimes.streamsWatchMs),
});

const attemptsQuery = queryOptions({
  queryKey: ['publish-attempts'],
  queryFn: ({ signal }) => client.call(streamsApi.attempts, {}, { signal }),
  refetchInterval: pollUnlessEventsArrive(consoleTimes.streamsWatchMs),
});

/** State of this browser's stream, and how fresh it is. */
function useStreamWatch() {
  const name = useStreamName();
  const streams = useQuery(watchedStreamsQuery);
  const attempts = useQuery(attemptsQuery);
  const state = watchState({
    streams: streams.data?.streams,
    ended: streams.data?.ended,
    attempts: attempts.data?.attempts ?? [],
    app: 'live',
    name,
  });
  return { name, state, freshness: streams };
}

/** Guide for publishers, and the stream itself once it is live. */
function LiveGuide() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const guide = useGuide();
  const { name, state, freshness } = useStreamWatch();
  if (!guide) return <PageSkeleton />;
  const isLive = state.kind === 'live';
  return (
    <>
      <PageHead
        title={t('live.tab')}
        state={
          <div role="status">
            {freshness.failureCount > 0 ? <StaleChip {...freshness} /> : <WatchPill state={state} />}
          </div>
        }
        purpose={t('nav.purpose.live')}
        action={
          isLive && (
            <Button component={Link} to={localPath(streamPath(state.stream))}>
              {t('live.next.page')}
            </Button>
          )
        }
        help={{ content: <Introduction />, panel: '0' }}
      />
      <div className={classes.page}>
        <StreamWatch guide={guide} name={name} state={state} />
        <PublishWays guide={guide} isFolded={isLive} />
        <WatchSection guide={guide} />
      </div>
    </>
  );
}

function WatchPill({ state }: { state: WatchState }) {
  const { t } = useTranslation();
  const endedText = useEndedText();
  if (state.kind === 'live') return <StatePill tone="ok" word={t('live.watch.live')} />;
  if (state.kind === 'waiting' && state.refused) return <StatePill tone="bad" word={t('live.watch.refused')} />;
  if (state.kind === 'waiting' && state.ended) return <StatePill tone="off" word={endedText(state.ended)} />;
  return <StatePill tone="busy" word={t('live.watch.waiting')} />;
}

/** Players and addresses for viewers, the same whichever way the stream is published. */
function WatchSection({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  return (
    <Section isSplit anchor="watch" title={t('live.share.title')} help={t('live.share.titleHelp')}>
      <Stack gap="md">
        <p className={classes.text}>
          <PlayText />
        </p>
        <PlayWays guide={guide} />
        <WordPressFields guide={guide} />
      </Stack>
    </Section>
  );
}

const questions = ['what', 'which', 'watch', 'secret'] as const;

function Introduction() {
  const { t } = useTranslation();
  return (
    <Answers answers={questions.map((question) => [t(`live.intro.${question}`), t(`live.introText.${question}`)])} />
  );
}

interface StreamWatchProps {
  guide: Guide;
  name: string;
  state: WatchState;
}

/** Waits for the stream, then shows it in place or explains why it is missing. */
function StreamWatch({ guide, name, state }: StreamWatchProps) {
  const { t } = useTranslation();
  return (
    <Section
      title={t('live.watch.title')}
      state={
        <div className={classes.name}>
          <span className={classes.term}>{t('live.watch.name')}</span>
          <strong>live/{name}</strong>
          <RotateButton />
        </div>
      }
    >
      {state.kind === 'live' ? (
        <LiveStream guide={guide} name={name} state={state} />
      ) : (
        <AwaitedStream name={name} state={state} />
      )}
    </Section>
  );
}

type LiveState = Extract<WatchState, { kind: 'live' }>;

/** Preview for the publisher: picture, health and next steps. */
function LiveStream({ guide, name, state }: StreamWatchProps & { state: LiveState }) {
  const { t } = useTranslation();
  const { stream } = state;
  const key = placeText(stream);
  const { data: glance } = useQuery({
    ...overviewQuery,
    select: ({ streams }) => streams.find((one) => placeText(one) === key),
  });
  const { verdict, issues } = glance?.diagnosis ?? { verdict: 'none', issues: [] };
  return (
    <div className={classes.watch}>
      <PreviewPlayer
        stream={stream}
        publisher={stream.client_id}
        hasWhep={guide.rtcOffer.kind === 'ready' && guide.rtc.canPlay}
        pending={<div className={classes.pending} />}
      />
      <div className={classes.side}>
        <p className={classes.verdict}>
          {verdict !== 'none' && <VerdictLabel verdict={verdict} tinted />} {t(streamVerdict(stream.media))}
        </p>
        <WatchNotices state={state} name={name} />
        {issues.length > 0 && <IssueList issues={issues} />}
        <StreamFigures stream={stream} />
        <NextSteps guide={guide} stream={stream} />
        <details className={classes.details}>
          <summary>{t('live.facts.details')}</summary>
          <StreamFacts stream={stream} />
        </details>
      </div>
    </div>
  );
}

/** Most important sentence about a live stream. */
function streamVerdict(media: StreamMedia | undefined): ParseKeys {
  if (!media) return 'live.verdict.live';
  if (!media.video && !media.audio) return 'live.verdict.nothing';
  if (!media.video) return 'live.verdict.noVideo';
  if (!media.audio) return 'live.verdict.noAudio';
  return 'live.verdict.both';
}

/** Share, then what other features offer for a stream: record, send on, subtitles. */
function NextSteps({ guide, stream }: { guide: Guide; stream: ActiveStream }) {
  const { t } = useTranslation();
  // HLS plays on every phone and browser, so this is the link to share.
  const watch = new URL((guide.edge ?? { player: guide.addresses.hlsPlayer }).player, window.location.href).href;
  return (
    <ActionTiles label={t('live.next.title')}>
      <FeatureParts slot="watchLink" props={{ stream, openUrl: watch }} />
      <FeatureParts slot="streamAction" props={{ stream }} />
    </ActionTiles>
  );
}

/** Last picture and what to do while nothing arrives. */
function AwaitedStream({ name, state }: Pick<StreamWatchProps, 'name' | 'state'>) {
  const { t } = useTranslation();
  const endedText = useEndedText();
  const ended = state.kind === 'waiting' ? state.ended : undefined;
  const isRefused = state.kind === 'waiting' && state.refused !== undefined;
  return (
    <div className={classes.awaited}>
      <div className={classes.last}>
        {ended ? (
          <Thumbnail stream={{ vhost: defaultVhost, app: 'live', stream: name }} isLive={false} />
        ) : (
          <div className={classes.pending}>
            <span className={classes.pulse} aria-hidden />
          </div>
        )}
      </div>
      <div className={classes.side}>
        {state.kind === 'unknown' && <Text size="sm">{t('live.watch.unknown')}</Text>}
        {state.kind === 'waiting' && !isRefused && (
          <div>
            <p className={classes.verdict}>{ended ? endedText(ended) : t('live.watch.emptyTitle')}</p>
            <Text size="sm" c="dimmed">
              {ended ? t('live.watch.endedText') : t('live.watch.emptyText')}
            </Text>
          </div>
        )}
        <WatchNotices state={state} name={name} />
        {isRefused && (
          <div>
            <Button component="a" href="#publish" variant="default" size="xs">
              {t('live.watch.showKey')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
