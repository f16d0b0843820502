import { Button, Stack } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { consoleTimes, streamsApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PlayText, PlayWays, WordPressFields } from '../../components/guide/guide-players.tsx';
import { type Guide, useGuide } from '../../components/guide/use-guide.ts';
import { useEndedText } from '../../components/streams/facts/use-ended-text.ts';
import { streamPath } from '../../components/streams/stream-link.tsx';
import { useStreamName } from '../../components/streams/stream-name.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
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
import { StreamWatch } from './stream-watch.tsx';
import type { WatchState } from './watch-state.ts';
import { watchState } from './watch-state.ts';

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

/** How to publish a stream, and the stream itself once it is live. */
export function LiveGuide() {
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
