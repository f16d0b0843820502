import { talkLimits } from '@weir/contract';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { readStorage, storageKeys, writeStorage } from '../../../lib/browser/browser-storage.ts';
import { AudioQueue, type AudioSink } from './audio-queue.ts';
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

/** Plays spoken answers in order. `source` may be set later and may change. */
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
      // The request fails with a low battery, which does not end the conversation.
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

/** Delay that keeps the first samples of a word from being cut off. */
const soonSeconds = 0.02;
const fadeSeconds = 0.02;
/** Time within which an allowed context starts. */
const startsWithinMs = 400;
const gestures = ['pointerdown', 'keydown'] as const;

/** Speaker that schedules clips on one clock, without gaps between sentences. */
class AudioOutput implements AudioSink<AudioBuffer> {
  readonly #onChange: () => void;
  #context: AudioContext | undefined;
  /** End of the scheduled audio on the context's clock. */
  #until = 0;
  #isBlocked = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  decode(bytes: ArrayBuffer): Promise<AudioBuffer> {
    return this.#open().decodeAudioData(bytes);
  }

  play(clip: AudioBuffer, signal: AbortSignal): Promise<void> {
    const context = this.#open();
    const { promise, resolve } = Promise.withResolvers<void>();
    const source = new AudioBufferSourceNode(context, { buffer: clip });
    const gain = new GainNode(context);
    source.connect(gain).connect(context.destination);
    const start = Math.max(context.currentTime + soonSeconds, this.#until);
    this.#until = start + clip.duration;
    source.start(start);
    source.onended = () => resolve();
    signal.addEventListener('abort', () => {
      this.#until = 0;
      // An abrupt stop would click.
      gain.gain.setTargetAtTime(0, context.currentTime, fadeSeconds / 4);
      source.stop(context.currentTime + fadeSeconds);
      resolve();
    });
    this.#watch(context);
    return promise.finally(() => gain.disconnect());
  }

  /** Resumes the audio context during a user gesture. */
  async resume(): Promise<boolean> {
    const context = this.#open();
    const { promise, resolve } = Promise.withResolvers<void>();
    // Without a user gesture, the promise of `resume` stays pending.
    const late = setTimeout(resolve, startsWithinMs);
    await Promise.race([context.resume().catch(() => undefined), promise]);
    clearTimeout(late);
    return context.state === 'running';
  }

  close(): void {
    this.#setBlocked(false);
    void this.#context?.close();
    this.#context = undefined;
    this.#until = 0;
  }

  #open(): AudioContext {
    if (this.#context) return this.#context;
    const context = new AudioContext({ latencyHint: 'interactive' });
    context.onstatechange = () => this.#context === context && context.state === 'running' && this.#setBlocked(false);
    this.#context = context;
    return context;
  }

  #watch(context: AudioContext): void {
    if (context.state === 'running') return;
    void this.resume().then((isRunning) => this.#context === context && this.#setBlocked(!isRunning));
  }

  readonly #onGesture = () => void this.#context?.resume().catch(() => undefined);

  #setBlocked(isBlocked: boolean): void {
    if (isBlocked === this.#isBlocked) return;
    this.#isBlocked = isBlocked;
    // Any gesture unblocks it.
    for (const event of gestures) {
      if (isBlocked) addEventListener(event, this.#onGesture);
      else removeEventListener(event, this.#onGesture);
    }
    this.#onChange();
  }
}
