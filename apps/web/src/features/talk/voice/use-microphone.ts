import { talkLimits } from '@weir/contract';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { read, storageKeys, write } from '../../../lib/browser/browser-storage.ts';
import { Microphone } from './capture/microphone.ts';
import type { OpenSpeech, RecordedUtterance, VoiceMicrophone } from './voice-types.ts';

interface Options {
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
export function useMicrophone(options: Options): VoiceMicrophone {
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
