import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { LivePlayer } from '../../../components/player/live-player.tsx';
import { previewQuery } from '../../../components/streams/preview-query.ts';
import { streamSources } from '../../../components/streams/stream-sources.ts';
import classes from './stream-watch.module.css';
import { useEndedText } from './use-ended-text.ts';
import type { WatchState } from './watch-state.ts';

interface StreamPreviewProps {
  guide: Guide;
  state: WatchState;
  /** `live/show` */
  name: string;
}

/** The picture, or the place where it will be. */
export function StreamPreview({ guide, state, name }: StreamPreviewProps) {
  const { t } = useTranslation();
  const endedText = useEndedText();
  if (state.kind === 'live') return <Picture guide={guide} name={name} publisher={state.stream.client_id} />;
  const ended = state.kind === 'waiting' ? state.ended : undefined;
  return (
    <div className={classes.empty}>
      {!ended && <span className={classes.pulse} aria-hidden />}
      <p className={classes.emptyTitle}>{ended ? endedText(ended) : t('live.watch.emptyTitle')}</p>
      <p>{ended ? t('live.watch.endedText') : t('live.watch.emptyText')}</p>
    </div>
  );
}

function Picture({ guide, name, publisher }: { guide: Guide; name: string; publisher: string }) {
  const hasWhep = guide.rtcOffer.kind === 'ready' && guide.rtc.canPlay;
  const preview = useQuery(previewQuery(name, publisher));
  const query = preview.data?.query ?? '';
  const sources = useMemo(() => streamSources(name, { query, hasWhep }), [name, query, hasWhep]);
  if (preview.isPending) return <div className={classes.empty} />;
  // A publisher who comes back is another stream to a decoder: begin anew.
  return <LivePlayer key={publisher} sources={sources} title={name} showsStatistics={false} />;
}
