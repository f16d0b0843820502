import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { AudioOutput } from './playback/audio-output.ts';
import { AudioQueue } from './playback/audio-queue.ts';
import type { AudioSource, VoicePlayback } from './voice-types.ts';

/** What the assistant says, in order. `source` may come later, and may become another one. */
export function usePlayback(source: AudioSource | undefined): VoicePlayback {
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
