import { talkLimits } from '@weir/contract';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { readStorage, storageKeys, writeStorage } from '../../../lib/browser/browser-storage.ts';
import { AudioOutput } from './audio-output.ts';
import { AudioQueue } from './audio-queue.ts';
import { Microphone } from './microphone.ts';
import type { AudioSource, OpenSpeech, RecordedUtterance, VoiceMicrophone, VoicePlayback } from './voice-types.ts';

interface Options {
  readonly source: AudioSource | undefined;
  readonly onUtterance: (utterance: RecordedUtterance) => void;
  readonly onOpen?: (speech: OpenSpeech) => void;
  readonly longestSeconds?: number;
}

/** Microphone and speaker of a conversation. Speech stops the playback; mere noise stops it only while it lasts. */
export function useVoice({ source, onUtterance, onOpen, longestSeconds }: Options): {
  readonly microphone: VoiceMicrophone;
  readonly playback: VoicePlayback;
} {
  const playback = usePlayback(source);
  const heard = useRef(playback);
  heard.current = playback;
  const hasSpoken = useRef(false);
  const microphone = useMicrophone({
    onUtterance: (utterance) => {
      hasSpoken.current ||= utterance.hasVoice;
      onUtterance(utterance);
    },
    ...(onOpen && { onOpen }),
    ...(longestSeconds !== undefined && { longestSeconds }),
    onRecording: (isRecording) => {
      if (isRecording) {
        hasSpoken.current = false;
        heard.current.stop();
      } else if (!hasSpoken.current) heard.current.allowStopped();
    },
    isPlaying: () => heard.current.state === 'playing',
  });
  return { microphone, playback };
}

interface UseMicrophoneOptions {
  readonly onUtterance: (utterance: RecordedUtterance) => void;
  /** Called when recording starts or ends. */
  readonly onRecording?: (isRecording: boolean) => void;
  /** Called with the speech so far. */
  readonly onOpen?: (speech: OpenSpeech) => void;
  /** The assistant is audible, so speech must be louder to count. */
  readonly isPlaying?: () => boolean;
  /** Longer speech is split, at a pause if there is one. Read once. */
  readonly longestSeconds?: number;
}

/** The server drops longer audio. */
const longestSeconds = talkLimits.audioSeconds - 1;

function useMicrophone(options: UseMicrophoneOptions): VoiceMicrophone {
  const latest = useRef(options);
  latest.current = options;
  const [microphone] = useState(
    () =>
      new Microphone({
        onUtterance: (utterance) => latest.current.onUtterance(utterance),
        onRecording: (isRecording) => latest.current.onRecording?.(isRecording),
        onOpen: (speech) => latest.current.onOpen?.(speech),
        isPlaying: () => latest.current.isPlaying?.() ?? false,
        longestSeconds: Math.min(longestSeconds, latest.current.longestSeconds ?? longestSeconds),
        deviceId: readStorage(storageKeys.microphone) ?? '',
        remember: (deviceId) => writeStorage(storageKeys.microphone, deviceId || undefined),
      }),
  );
  useEffect(() => microphone.close, [microphone]);
  const view = useSyncExternalStore(microphone.subscribe, microphone.view);
  return useMemo(() => {
    const { open, close, choose, setHandsFree, begin, end, cancel, markTranscribed, level } = microphone;
    return { ...view, open, close, choose, setHandsFree, begin, end, cancel, markTranscribed, level };
  }, [view, microphone]);
}

/** Spoken answers in order. `source` may be set later and may change. */
function usePlayback(source: AudioSource | undefined): VoicePlayback {
  const latest = useRef(source);
  latest.current = source;
  const [{ queue, output }] = useState(() => speaker(latest));
  useEffect(
    () => () => {
      queue.close();
      output.close();
    },
    [queue, output],
  );
  const view = useSyncExternalStore(queue.subscribe, queue.view);
  return useMemo(() => {
    const { add, replay, stop, allowStopped, setMuted } = queue;
    return { ...view, add, replay, stop, allowStopped, setMuted, resume: () => output.resume() };
  }, [view, queue, output]);
}

function speaker(source: { readonly current: AudioSource | undefined }) {
  const from: AudioSource = {
    load: (asid, signal) => source.current?.load(asid, signal) ?? Promise.reject(new Error('nobody speaks here')),
    drop: (asid) => source.current?.drop(asid),
  };
  const output = new AudioOutput(() => queue.updateView());
  const queue: AudioQueue<AudioBuffer> = new AudioQueue(from, output);
  return { queue, output };
}

/**
 * Keeps the screen on while `isWanted`. Browsers release the lock of a hidden page, so it is requested again when
 * visible.
 */
export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const acquire = async () => {
      if (document.visibilityState !== 'visible' || (lock && !lock.released)) return;
      // The request fails with a low battery; the conversation goes on.
      const acquired = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (isOver) await acquired?.release();
      else lock = acquired;
    };
    void acquire();
    document.addEventListener('visibilitychange', acquire);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', acquire);
      void lock?.release();
    };
  }, [isWanted]);
}
