import type { ActiveStream } from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import type { Guide } from '../../../components/guide/use-guide.ts';
import type { PlayerState } from '../../../components/player/session/player-state.ts';
import { PreviewPlayer } from '../../../components/streams/preview-player.tsx';
import { useStreamPicture } from '../../../components/streams/thumbnail.tsx';
import classes from './player-panel.module.css';

interface PlayerPanelProps {
  place: WirePlace;
  live: ActiveStream | undefined;
  /** Undefined until the playback abilities of this browser are known. */
  guide: Guide | undefined;
  onState: (state: PlayerState) => void;
}

/** The stream, or its last picture while it is off. */
export function PlayerPanel({ place, live, guide, onState }: PlayerPanelProps) {
  if (!live) return <OffAir place={place} />;
  const frame = <div className={classes.frame} />;
  if (!guide) return frame;
  return (
    <PreviewPlayer
      stream={live}
      publisher={live.client_id}
      hasWhep={guide.rtcOffer.kind === 'ready' && guide.rtc.canPlay}
      onState={onState}
      pending={frame}
    />
  );
}

function OffAir({ place }: { place: WirePlace }) {
  const { t } = useTranslation();
  const picture = useStreamPicture(place, false);
  return (
    <div className={classes.frame}>
      {picture && <img src={picture} alt="" className={classes.last} />}
      <div className={classes.offAir} data-pictured={picture !== undefined || undefined}>
        <p className={classes.title}>{t('streamPage.offAirTitle')}</p>
        <p>{t('streamPage.offAirText')}</p>
      </div>
    </div>
  );
}
