import { useTranslation } from 'react-i18next';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { useEndedText } from '../../../components/streams/facts/use-ended-text.ts';
import { StreamPicture } from '../../../components/streams/stream-picture.tsx';
import classes from './stream-watch.module.css';
import type { WatchState } from './watch-state.ts';

interface StreamPreviewProps {
  guide: Guide;
  state: WatchState;
}

/** The picture, or the place where it will be. */
export function StreamPreview({ guide, state }: StreamPreviewProps) {
  const { t } = useTranslation();
  const endedText = useEndedText();
  if (state.kind === 'live') {
    return (
      <StreamPicture
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
