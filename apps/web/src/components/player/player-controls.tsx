import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CaptionButton } from './captions/caption-button.tsx';
import type { Captions } from './captions/use-captions.ts';
import {
  IconCast,
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
import { usePlayerKeys } from './use-player-keys.ts';

/** Given by the page that can rewind, so that others do not load them. */
export interface RewindParts {
  readonly bar: ReactNode;
  readonly jumps: ReactNode;
  readonly rate: ReactNode;
  readonly keys: Readonly<Record<string, () => void>>;
}

interface PlayerControlsProps {
  state: PlayerState;
  video: HTMLVideoElement;
  frame: RefObject<HTMLElement | null>;
  onPlay: () => void;
  onPause: () => void;
  onMuted: (isMuted: boolean) => void;
  onQuality?: (quality: string | undefined) => void;
  captions: Captions;
  /** Absent where the stream cannot be rewound. */
  rewind?: RewindParts | undefined;
}

const volumeStep = 0.05;

/** iPhones support full screen for the video element only. */
type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

export function PlayerControls(props: PlayerControlsProps) {
  const { state, video, frame, onPlay, onPause, onMuted, onQuality, captions, rewind } = props;
  const { qualities = [] } = state.statistics;
  const { t } = useTranslation();
  const isFull = useIsFullScreen(frame);
  const isStopped = ['idle', 'paused', 'ended', 'failed'].includes(state.phase);
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
  const setVolume = (volume: number) => {
    video.volume = Math.min(1, Math.max(0, volume));
    onMuted(video.volume === 0);
  };
  const playOrPause = isStopped ? onPlay : onPause;
  usePlayerKeys(frame, {
    ' ': playOrPause,
    k: playOrPause,
    m: () => onMuted(!state.isMuted),
    f: fill,
    arrowup: () => setVolume(video.volume + volumeStep),
    arrowdown: () => setVolume(video.volume - volumeStep),
    ...rewind?.keys,
  });
  const volume = useVolume(video);
  return (
    <div className={classes.controls}>
      {rewind?.bar}
      <Control name={isStopped ? t('player.play') : t('player.pause')} onClick={playOrPause}>
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
        step={volumeStep}
        value={volume}
        onChange={(event) => setVolume(Number(event.currentTarget.value))}
      />
      {rewind?.jumps}
      <span className={classes.space} />
      {rewind?.rate}
      {onQuality && qualities.length > 1 && (
        <QualityMenu qualities={qualities} chosen={state.quality} onChoose={onQuality} />
      )}
      {captions.tracks.length > 0 && <CaptionButton captions={captions} frame={frame} />}
      <RemoteButton video={video} />
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

function useVolume(video: HTMLVideoElement): number {
  const [volume, setVolume] = useState(video.volume);
  useEffect(() => {
    const read = () => setVolume(video.volume);
    video.addEventListener('volumechange', read);
    return () => video.removeEventListener('volumechange', read);
  }, [video]);
  return volume;
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

interface QualityMenuProps {
  /** Best first. */
  qualities: readonly string[];
  /** Undefined while the player chooses. */
  chosen: string | undefined;
  onChoose: (quality: string | undefined) => void;
}

/** Menu of video qualities, as "Auto" and "720p". */
function QualityMenu({ qualities, chosen, onChoose }: QualityMenuProps) {
  const { t } = useTranslation();
  return (
    <select
      className={classes.quality}
      aria-label={t('player.quality')}
      title={t('player.quality')}
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : value)}
    >
      <option value="">{t('player.autoQuality')}</option>
      {qualities.map((quality) => (
        <option key={quality} value={quality}>
          {quality}
        </option>
      ))}
    </select>
  );
}

/** Safari's way to AirPlay, older than the Remote Playback API. */
type AppleVideo = HTMLVideoElement & { webkitShowPlaybackTargetPicker?: () => void };

/** Plays on a television: Cast or AirPlay, where the browser offers it and has found a device. */
function RemoteButton({ video }: { video: AppleVideo }) {
  const { t } = useTranslation();
  const [isOffered, setIsOffered] = useState(false);
  useEffect(() => {
    const onTargets = (event: Event) => setIsOffered('availability' in event && event.availability === 'available');
    video.addEventListener('webkitplaybacktargetavailabilitychanged', onTargets);
    // Rejected where the kind of media cannot be sent on.
    const watched = video.remote?.watchAvailability(setIsOffered).catch(() => undefined);
    return () => {
      video.removeEventListener('webkitplaybacktargetavailabilitychanged', onTargets);
      const cancel = async () => {
        const id = await watched;
        if (id !== undefined) await video.remote.cancelWatchAvailability(id);
      };
      // The element may be gone already.
      cancel().catch(() => undefined);
    };
  }, [video]);
  if (!isOffered) return null;
  const pick = () => {
    if (video.webkitShowPlaybackTargetPicker) video.webkitShowPlaybackTargetPicker();
    else video.remote.prompt().catch(() => undefined);
  };
  return (
    <button
      type="button"
      className={classes.control}
      aria-label={t('player.remote')}
      title={t('player.remote')}
      onClick={pick}
    >
      <IconCast size={20} aria-hidden />
    </button>
  );
}
