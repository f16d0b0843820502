import { Checkbox } from '@mantine/core';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconMicrophone } from '../icons.ts';
import type { VoiceMicrophone } from '../voice/voice-types.ts';
import classes from './composer.module.css';
import { DeviceChoice } from './device-choice.tsx';
import { isTouch } from './is-touch.ts';
import { LevelMeter } from './level-meter.tsx';
import { MicrophoneProblem } from './microphone-problem.tsx';
import { useTalkKeys } from './use-talk-keys.ts';

/** Press and hold to talk, by finger, mouse or key; or hands-free. */
export function MicrophonePad({ microphone, isDraft }: { microphone: VoiceMicrophone; isDraft: boolean }) {
  const { t } = useTranslation();
  const { state, isRecording, isHandsFree, level, setHandsFree, begin, end } = microphone;
  const isReady = state === 'ready';
  useTalkKeys(isReady && !isHandsFree, { begin, end });
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    // The release counts wherever the finger is by then.
    event.currentTarget.setPointerCapture?.(event.pointerId);
    begin();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (event.repeat) return;
    if (isRecording) end();
    else begin();
  };
  const words = isHandsFree
    ? isRecording
      ? t('talk.microphone.listening')
      : t('talk.microphone.handsFreeOn')
    : isRecording
      ? t(isDraft ? 'talk.microphone.releaseDraft' : 'talk.microphone.release')
      : isTouch()
        ? t('talk.microphone.talk')
        : t('talk.microphone.hold');
  if (!isReady)
    return (
      <div className={classes.pad}>
        <MicrophoneProblem microphone={microphone} />
      </div>
    );
  return (
    <div className={classes.pad}>
      <button
        type="button"
        data-talk
        className={classes.talk}
        data-recording={isRecording || undefined}
        aria-pressed={isRecording}
        aria-label={t('talk.microphone.talk')}
        disabled={isHandsFree}
        onPointerDown={onPointerDown}
        onPointerUp={end}
        onPointerCancel={end}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
      >
        <IconMicrophone size={40} stroke={1.5} aria-hidden />
      </button>
      <p className={classes.words} role="status">
        {words}
      </p>
      <LevelMeter level={level} />
      <div className={classes.choices}>
        <Checkbox
          label={t('talk.microphone.handsFree')}
          checked={isHandsFree}
          onChange={(event) => setHandsFree(event.currentTarget.checked)}
        />
        <DeviceChoice microphone={microphone} />
      </div>
    </div>
  );
}
