import { Button } from '@mantine/core';
import IconMicrophone from '@tabler/icons-react/dist/esm/icons/IconMicrophone.mjs';
import IconMicrophoneOff from '@tabler/icons-react/dist/esm/icons/IconMicrophoneOff.mjs';
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs';
import IconVideoOff from '@tabler/icons-react/dist/esm/icons/IconVideoOff.mjs';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
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

/** Level at the left end of the bar, in dBFS. */
const quietestDb = -60;

/** Audio level: a moving bar proves that the microphone works. */
function LevelMeter({ track, label }: { track: MediaStreamTrack; label: string }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = bar.current;
    if (!element || typeof AudioContext === 'undefined') return;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let frame = 0;
    let shown = 0;
    const draw = () => {
      analyser.getFloatTimeDomainData(samples);
      const level = measureLevel(samples);
      // Falls slowly, so that peaks stay visible.
      shown = Math.max(level, shown - 0.02);
      element.style.setProperty('--level', shown.toFixed(3));
      element.setAttribute('aria-valuenow', String(Math.round(shown * 100)));
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => {
      cancelAnimationFrame(frame);
      context.close();
    };
  }, [track]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in their own colours, and in steps
    <div
      ref={bar}
      className={classes.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
    />
  );
}

/** 0 is silence and 1 full scale, linear in decibels. */
export function measureLevel(samples: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at += 1) sum += (samples[at] ?? 0) ** 2;
  if (sum === 0) return 0;
  const db = 10 * Math.log10(sum / samples.length);
  return Math.min(1, Math.max(0, 1 - db / quietestDb));
}
