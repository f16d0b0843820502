import { Button, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ActiveStream, consoleTimes, type StreamMedia, streamsApi } from '@weir/contract';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { RotateButton } from '../../components/guide/rotate-button.tsx';
import type { Guide } from '../../components/guide/use-guide.ts';
import { StreamFacts } from '../../components/streams/facts/stream-facts.tsx';
import { StreamFigures } from '../../components/streams/facts/stream-figures.tsx';
import { useEndedText } from '../../components/streams/facts/use-ended-text.ts';
import { PreviewPlayer } from '../../components/streams/preview-player.tsx';
import { streamPath } from '../../components/streams/stream-link.tsx';
import { useStreamName } from '../../components/streams/stream-name.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconCopy } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { useCopy } from '../../lib/notify.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { pollUnlessEventsArrive } from '../../lib/queries/polling.ts';
import classes from './stream-watch.module.css';
import { WatchNotices } from './watch-notices.tsx';
import { type WatchState, watchState } from './watch-state.ts';

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

/** Waits for the stream, then shows it in place or explains why it is missing. */
export function StreamWatch({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
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
  return (
    <Section
      title={t('live.watch.title')}
      help={t(state.kind === 'live' ? streamVerdict(state.stream.media) : 'live.watch.help')}
      state={<div role="status">{streams.failureCount > 0 ? <StaleChip {...streams} /> : <Word state={state} />}</div>}
    >
      <div className={classes.watch}>
        <StreamPreview guide={guide} state={state} />
        <div className={classes.side}>
          <div className={classes.name}>
            <span className={classes.term}>{t('live.watch.name')}</span>
            <strong>live/{name}</strong>
            <RotateButton />
          </div>
          <WatchNotices state={state} name={name} />
          <WatchFindings state={state} guide={guide} />
        </div>
      </div>
    </Section>
  );
}

function Word({ state }: { state: WatchState }) {
  const { t } = useTranslation();
  const endedText = useEndedText();
  if (state.kind === 'live') return <StatusLabel tone="ok" word={t('live.watch.live')} tinted />;
  if (state.kind === 'waiting' && state.refused) {
    return <StatusLabel tone="bad" word={t('live.watch.refused')} tinted />;
  }
  if (state.kind === 'waiting' && state.ended) return <StatusLabel tone="off" word={endedText(state.ended)} tinted />;
  return <StatusLabel tone="busy" word={t('live.watch.waiting')} tinted />;
}

interface StreamPreviewProps {
  guide: Guide;
  state: WatchState;
}

function StreamPreview({ guide, state }: StreamPreviewProps) {
  const { t } = useTranslation();
  const endedText = useEndedText();
  if (state.kind === 'live') {
    return (
      <PreviewPlayer
        stream={state.stream}
        publisher={state.stream.client_id}
        hasWhep={guide.rtcOffer.kind === 'ready' && guide.rtc.canPlay}
        pending={<div className={classes.empty} />}
      />
    );
  }
  const ended = state.kind === 'waiting' ? state.ended : undefined;
  return (
    <div className={classes.empty}>
      {!ended && <span className={classes.pulse} aria-hidden />}
      <p className={classes.emptyTitle}>{ended ? endedText(ended) : t('live.watch.emptyTitle')}</p>
      <p>{ended ? t('live.watch.endedText') : t('live.watch.emptyText')}</p>
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

/** Facts of the live stream; before it arrives, the two values to check first. */
function WatchFindings({ state, guide }: { state: WatchState; guide: Guide }) {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'unknown':
      return <Text size="sm">{t('live.watch.unknown')}</Text>;
    case 'waiting':
      return (
        <>
          {!state.refused && !state.ended && <Text size="sm">{t('live.watch.waitingText')}</Text>}
          <CopyField label={t('live.watch.server')} value={guide.addresses.rtmpServer} />
          <CopyField label={t('live.watch.key')} value={guide.addresses.rtmpStreamKey} secret={guide.secret} />
        </>
      );
    case 'live':
      return (
        <>
          <StreamFigures stream={state.stream} />
          <NextSteps guide={guide} stream={state.stream} />
          <details className={classes.details}>
            <summary>{t('live.facts.details')}</summary>
            <StreamFacts stream={state.stream} />
          </details>
        </>
      );
  }
}

function NextSteps({ guide, stream }: { guide: Guide; stream: ActiveStream }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const copy = useCopy();
  // HLS plays on every phone and browser, so this is the link to share.
  const watch = new URL((guide.edge ?? { player: guide.addresses.hlsPlayer }).player, window.location.href).href;
  return (
    <div className={classes.next}>
      <Button component={Link} to={localPath(streamPath(stream))} size="xs">
        {t('live.next.page')}
      </Button>
      <Button variant="default" size="xs" leftSection={<IconCopy size={14} aria-hidden />} onClick={() => copy(watch)}>
        {t('live.next.share')}
      </Button>
      <Button component={Link} to={localPath(`${paths.scenario}?tab=record`)} variant="default" size="xs">
        {t('live.next.record')}
      </Button>
      <Button component={Link} to={localPath(`${paths.scenario}?tab=forward`)} variant="default" size="xs">
        {t('live.next.forward')}
      </Button>
    </div>
  );
}
