import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { RotateButton } from '../../../components/guide/rotate-button.tsx';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { useEndedText } from '../../../components/streams/facts/use-ended-text.ts';
import { useStreamName } from '../../../components/streams/stream-name.ts';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { attemptsQuery, watchedStreamsQuery } from './live-queries.ts';
import { StreamPreview } from './stream-preview.tsx';
import { streamVerdict } from './stream-verdict.ts';
import classes from './stream-watch.module.css';
import { WatchFindings } from './watch-findings.tsx';
import { WatchNotices } from './watch-notices.tsx';
import { type WatchState, watchState } from './watch-state.ts';

/** What every guide leads to: waits for the stream, shows it in place the moment it comes, or says why it does not. */
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
