import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { LivePlayer } from '../../components/player/live-player.tsx';
import type { PlayerSource } from '../../components/player/player-source.ts';
import { streamAddresses } from '../streams/stream-addresses.ts';
import classes from './stream-watch.module.css';
import type { Guide } from './use-guide.ts';
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
  const hasWhep = guide.rtcOffer.kind === 'ready' && guide.rtc.canPlay;
  const sources = useMemo(() => previewSources(name, hasWhep), [name, hasWhep]);
  if (state.kind === 'live') {
    // A publisher who comes back is another stream to a decoder: begin anew.
    return <LivePlayer key={state.stream.client_id} sources={sources} title={name} />;
  }
  return (
    <div className={classes.empty}>
      <span className={classes.pulse} aria-hidden />
      <p className={classes.emptyTitle}>{t('live.watch.emptyTitle')}</p>
      <p>{t('live.watch.emptyText')}</p>
    </div>
  );
}

/** From the page's own server, so that no published port and no other name comes between. */
function previewSources(path: string, hasWhep: boolean): PlayerSource[] {
  const { whepUrl, flvUrl, m3u8Url } = streamAddresses({
    path,
    page: window.location,
    environment: { rtmpPort: '', srtPort: '', httpPort: '' },
  });
  return [
    ...(hasWhep ? [{ kind: 'whep', url: whepUrl } as const] : []),
    { kind: 'flv', url: flvUrl },
    { kind: 'hls', url: m3u8Url },
  ];
}
