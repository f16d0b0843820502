import { talkLimits } from '@weir/contract';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { read, storageKeys, write } from '../../../lib/browser/browser-storage.ts';
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

/** Microphone and speaker of a conversation: whoever begins to speak stops what is being spoken. Mere noise stops it for as long as it is there. */
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
  /** What was said, one by one. */
  readonly onUtterance: (utterance: RecordedUtterance) => void;
  /** Somebody begins to speak, or ended. */
  readonly onRecording?: (isRecording: boolean) => void;
  /** There is more of what is being said. */
  readonly onOpen?: (speech: OpenSpeech) => void;
  /** Whether the assistant is heard now: then a voice has to be louder to count. */
  readonly isPlaying?: () => boolean;
  /** Longer speech is given out in pieces, cut at a pause where there is one. Taken once. */
  readonly longestSeconds?: number;
}

/** The server drops what is longer. */
const longestSeconds = talkLimits.audioSeconds - 1;

/** The microphone of a page, closed when the page goes. */
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
        deviceId: read(storageKeys.microphone) ?? '',
        remember: (deviceId) => write(storageKeys.microphone, deviceId || undefined),
      }),
  );
  useEffect(() => microphone.close, [microphone]);
  const view = useSyncExternalStore(microphone.subscribe, microphone.view);
  return useMemo(() => {
    const { open, close, choose, setHandsFree, begin, end, cancel, markTranscribed, level } = microphone;
    return { ...view, open, close, choose, setHandsFree, begin, end, cancel, markTranscribed, level };
  }, [view, microphone]);
}

/** What the assistant says, in order. `source` may come later, and may become another one. */
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

/** Keeps the screen of a phone on while `isWanted`. Browsers take it away from a hidden page; it is taken again when the page is seen. */
export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const take = async () => {
      if (document.visibilityState !== 'visible' || (lock && !lock.released)) return;
      // Refused with an empty battery, or by the system: the conversation goes on.
      const taken = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (isOver) await taken?.release();
      else lock = taken;
    };
    void take();
    document.addEventListener('visibilitychange', take);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', take);
      void lock?.release();
    };
  }, [isWanted]);
}
