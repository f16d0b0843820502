import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CaptionButton } from './captions/caption-button.tsx';
import type { Captions } from './captions/use-captions.ts';
import {
  IconMaximize,
  IconMinimize,
  IconPictureInPicture,
  IconPlayerPause,
  IconPlayerPlay,
  IconVolume,
  IconVolumeOff,
} from './icons.ts';
import classes from './player-controls.module.css';
import type { PlayerState } from './session/player-state.ts';

interface PlayerControlsProps {
  state: PlayerState;
  video: HTMLVideoElement;
  frame: RefObject<HTMLElement | null>;
  onPlay: () => void;
  onPause: () => void;
  onMuted: (isMuted: boolean) => void;
  captions: Captions;
}

/** iPhones support full screen for the video element only. */
type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

export function PlayerControls({ state, video, frame, onPlay, onPause, onMuted, captions }: PlayerControlsProps) {
  const { t } = useTranslation();
  const isFull = useIsFullScreen(frame);
  const isStopped = state.phase === 'paused' || state.phase === 'ended' || state.phase === 'failed';
  const phoneVideo: PhoneVideo = video;
  const canFill = document.fullscreenEnabled || phoneVideo.webkitEnterFullscreen !== undefined;
  const fill = () => {
    if (isFull) document.exitFullscreen();
    else if (document.fullscreenEnabled) frame.current?.requestFullscreen();
    else phoneVideo.webkitEnterFullscreen?.();
  };
  const float = () => {
    // Rejected for streams without video.
    const done = document.pictureInPictureElement ? document.exitPictureInPicture() : video.requestPictureInPicture();
    done.catch(() => undefined);
  };
  return (
    <div className={classes.controls}>
      <Control name={isStopped ? t('player.play') : t('player.pause')} onClick={isStopped ? onPlay : onPause}>
        {isStopped ? <IconPlayerPlay size={20} aria-hidden /> : <IconPlayerPause size={20} aria-hidden />}
      </Control>
      <Control name={state.isMuted ? t('player.unmute') : t('player.mute')} onClick={() => onMuted(!state.isMuted)}>
        {state.isMuted ? <IconVolumeOff size={20} aria-hidden /> : <IconVolume size={20} aria-hidden />}
      </Control>
      <input
        type="range"
        className={classes.volume}
        aria-label={t('player.volume')}
        min={0}
        max={1}
        step={0.05}
        defaultValue={video.volume}
        onChange={(event) => {
          video.volume = Number(event.currentTarget.value);
          onMuted(video.volume === 0);
        }}
      />
      <span className={classes.space} />
      {captions.tracks.length > 0 && <CaptionButton captions={captions} frame={frame} />}
      {document.pictureInPictureEnabled && (
        <Control name={t('player.pictureInPicture')} onClick={float}>
          <IconPictureInPicture size={20} aria-hidden />
        </Control>
      )}
      {canFill && (
        <Control name={isFull ? t('player.leaveFullScreen') : t('player.fullScreen')} onClick={fill}>
          {isFull ? <IconMinimize size={20} aria-hidden /> : <IconMaximize size={20} aria-hidden />}
        </Control>
      )}
    </div>
  );
}

function Control({ name, onClick, children }: { name: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes.control} aria-label={name} title={name} onClick={onClick}>
      {children}
    </button>
  );
}

function useIsFullScreen(frame: RefObject<HTMLElement | null>): boolean {
  const [isFull, setIsFull] = useState(false);
  useEffect(() => {
    const look = () => setIsFull(document.fullscreenElement !== null && document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, [frame]);
  return isFull;
}
