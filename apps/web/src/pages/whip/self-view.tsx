import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconMicrophone, IconMicrophoneOff, IconVideo, IconVideoOff } from './icons.ts';
import { LevelMeter } from './level-meter.tsx';
import type { PublishSessionState } from './publishing/publish-session.ts';
import classes from './self-view.module.css';

interface SelfViewProps {
  state: PublishSessionState;
  onPreview: () => void;
  onTurn: (kind: 'audio' | 'video', isOff: boolean) => void;
}

/** Preview of the captured media: mirrored video and an audio level. */
export function SelfView({ state, onPreview, onTurn }: SelfViewProps) {
  const { t } = useTranslation();
  const { media, choices, isVideoOff, isAudioOff } = state;
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = media ?? null;
  }, [media]);
  const [sound] = media?.getAudioTracks() ?? [];
  const [picture] = media?.getVideoTracks() ?? [];
  return (
    <div className={classes.view}>
      <div className={classes.frame}>
        <video
          ref={video}
          className={classes.video}
          data-mirrored={choices.picture === 'camera' || undefined}
          aria-label={t('whip.selfView')}
          muted
          autoPlay
          playsInline
        />
        {!media && (
          <div className={classes.overlay}>
            <p>{t('whip.previewHelp')}</p>
            <Button variant="white" size="xs" loading={state.isBusy} onClick={onPreview}>
              {t('whip.preview')}
            </Button>
          </div>
        )}
        {media && !picture && <div className={classes.overlay}>{t('whip.noPicture')}</div>}
        {picture && isVideoOff && <div className={classes.overlay}>{t('whip.pictureIsOff')}</div>}
      </div>
      {media && (
        <div className={classes.switches}>
          {picture && (
            <Button
              variant="default"
              size="xs"
              leftSection={isVideoOff ? <IconVideoOff size={16} aria-hidden /> : <IconVideo size={16} aria-hidden />}
              onClick={() => onTurn('video', !isVideoOff)}
            >
              {isVideoOff ? t('whip.pictureOn') : t('whip.pictureOff')}
            </Button>
          )}
          {sound && (
            <Button
              variant="default"
              size="xs"
              leftSection={
                isAudioOff ? <IconMicrophoneOff size={16} aria-hidden /> : <IconMicrophone size={16} aria-hidden />
              }
              onClick={() => onTurn('audio', !isAudioOff)}
            >
              {isAudioOff ? t('whip.soundOn') : t('whip.soundOff')}
            </Button>
          )}
          <div className={classes.level}>{sound && <LevelMeter track={sound} label={t('whip.level')} />}</div>
        </div>
      )}
    </div>
  );
}
