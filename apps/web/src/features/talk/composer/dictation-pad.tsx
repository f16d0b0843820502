import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconMicrophone, IconPlayerStop } from '../icons.ts';
import type { Conversation } from '../use-conversation.ts';
import classes from './composer.module.css';
import { DeviceChoice } from './device-choice.tsx';
import { LevelMeter } from './level-meter.tsx';
import { MicrophoneProblem } from './microphone-problem.tsx';

/** Speaking without pause: what is said is sent while it goes on, and the rest when it stops. */
export function DictationPad({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const { microphone, session, isDraft } = conversation;
  const { state, isHandsFree, isRecording, level, setHandsFree, open } = microphone;
  const start = async () => {
    if (state === 'ready' || (await open())) setHandsFree(true);
  };
  const stop = () => {
    setHandsFree(false);
    if (!isDraft) void session.sender.flush();
  };
  const isOpen = state === 'ready';
  return (
    <div className={classes.pad}>
      {!isOpen && state !== 'closed' && <MicrophoneProblem microphone={microphone} />}
      {isHandsFree && isOpen ? (
        <Button size="lg" color="red" leftSection={<IconPlayerStop size={20} aria-hidden />} onClick={stop}>
          {t('talk.dictation.stop')}
        </Button>
      ) : (
        <Button
          size="lg"
          leftSection={<IconMicrophone size={20} aria-hidden />}
          disabled={!window.isSecureContext}
          loading={state === 'asking'}
          onClick={() => void start()}
        >
          {t('talk.dictation.start')}
        </Button>
      )}
      <p className={classes.words} role="status">
        {!isHandsFree ? t('talk.dictation.off') : isRecording ? t('talk.microphone.listening') : t('talk.dictation.on')}
      </p>
      {isOpen && <LevelMeter level={level} />}
      <div className={classes.choices}>
        <DeviceChoice microphone={microphone} />
      </div>
    </div>
  );
}
