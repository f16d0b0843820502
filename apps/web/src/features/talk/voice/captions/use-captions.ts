import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { TalkSession } from '../../session/talk-session.ts';
import type { OpenSpeech } from '../voice-types.ts';
import { Captions } from './captions.ts';

/** Captions of what is said on this page. `settle` is of the microphone, which comes later. */
export function useCaptions(session: TalkSession) {
  const latest = useRef(session);
  latest.current = session;
  const markTranscribed = useRef<(speech: OpenSpeech, isUnderstood: boolean) => void>(() => undefined);
  const [captions] = useState(
    () =>
      new Captions({
        hear: (audio, moment, signal) => latest.current.hear(audio, moment, signal),
        markTranscribed: (speech, isUnderstood) => markTranscribed.current(speech, isUnderstood),
        nowMs: () => performance.now(),
      }),
  );
  useEffect(() => () => void captions.finish(), [captions]);
  const text = useSyncExternalStore(captions.subscribe, captions.view);
  return { text, request: captions.request, finish: captions.finish, markTranscribed };
}
