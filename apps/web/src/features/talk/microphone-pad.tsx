import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { type PointerEvent, type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import classes from './composer.module.css';
import { IconMicrophone, IconPlayerStop } from './icons.ts';
import type { Conversation } from './use-conversation.ts';
import type { LevelSource, VoiceMicrophone } from './voice/voice-types.ts';

/** Push to talk by touch, mouse or key, or hands-free. */
export function MicrophonePad({ microphone, isDraft }: { microphone: VoiceMicrophone; isDraft: boolean }) {
  const { t } = useTranslation();
  const { state, isRecording, isHandsFree, level, setHandsFree, begin, end } = microphone;
  const isReady = state === 'ready';
  useTalkKeys(isReady && !isHandsFree, { begin, end });
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    // Pointer capture delivers the release wherever the finger is.
    event.currentTarget.setPointerCapture?.(event.pointerId);
    begin();
  };
  const onKeyDown = (event: ReactKeyboardEvent<HTMLButtonElement>) => {
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

/** Touch screen without a keyboard, where hints about keys would be wrong. */
export function isTouch(): boolean {
  return window.matchMedia('(hover: none) and (pointer: coarse)').matches;
}

const talkKeys = new Set(['r', '\\', ' ']);

interface TalkKeys {
  readonly begin: () => void;
  readonly end: () => void;
}

/** Push to talk by key, except while typing or on another button. */
function useTalkKeys(isOn: boolean, keys: TalkKeys): void {
  const held = useRef('');
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!isOn) return;
    const release = () => {
      if (held.current !== '') latest.current.end();
      held.current = '';
    };
    const onDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (!talkKeys.has(key) || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target, key))
        return;
      event.preventDefault();
      if (event.repeat || held.current !== '') return;
      held.current = key;
      latest.current.begin();
    };
    const onUp = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === held.current) release();
    };
    window.addEventListener('keydown', onDown);
    window.addEventListener('keyup', onUp);
    window.addEventListener('blur', release);
    return () => {
      window.removeEventListener('keydown', onDown);
      window.removeEventListener('keyup', onUp);
      window.removeEventListener('blur', release);
      release();
    };
  }, [isOn]);
}

/** The key belongs to a field or another button. The talk button carries `data-talk`. */
function isElsewhere(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement) || target.dataset.talk !== undefined) return false;
  if (target.closest('input, textarea, select, [contenteditable="true"]')) return true;
  return key === ' ' && target.closest('button, a, [role="menuitem"], [role="log"]') !== null;
}

/** Continuous dictation: sends speech while it goes on, and the rest on stop. */
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

function DeviceChoice({ microphone: { devices, deviceId, choose } }: { microphone: VoiceMicrophone }) {
  const { t } = useTranslation();
  if (devices.length < 2) return null;
  return (
    <NativeSelect
      className={classes.device}
      size="xs"
      aria-label={t('talk.microphone.device')}
      value={deviceId}
      data={devices.map(({ id, label }, index) => ({
        value: id,
        label: label || t('talk.microphone.numbered', { number: index + 1 }),
      }))}
      onChange={(event) => void choose(event.currentTarget.value)}
    />
  );
}

/** Input level. Written into a style, because fifty renders a second would be too many. */
function LevelMeter({ level }: { level: LevelSource }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => level.subscribe((loud) => bar.current?.style.setProperty('--level', loud.toFixed(2))), [level]);
  return (
    <div ref={bar} className={classes.meter} aria-hidden>
      <div className={classes.loud} />
    </div>
  );
}

/** Reason for a missing microphone, and the remedy. */
function MicrophoneProblem({ microphone }: { microphone: VoiceMicrophone }) {
  const { t } = useTranslation();
  const { state, detail, open } = microphone;
  if (state === 'ready') return null;
  if (state === 'asking') return <Notice tone="info" title={t('talk.microphone.asking')} />;
  if (state === 'insecure' || !window.isSecureContext)
    return (
      <Notice tone="warn" title={t('talk.https')}>
        {t('talk.httpsText')}
      </Notice>
    );
  if (state === 'closed')
    return (
      <Button variant="default" size="md" onClick={() => void open()}>
        {t('talk.microphone.open')}
      </Button>
    );
  return (
    <Notice tone="bad" title={`${t('talk.microphone.failedTitle')} ${t(`talk.microphone.${state}`)}`}>
      {detail !== '' && <p>{detail}</p>}
      <Button size="compact-md" variant="default" onClick={() => void open()}>
        {t('talk.tryAgain')}
      </Button>
    </Notice>
  );
}
