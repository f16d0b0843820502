import { useRef } from 'react';
import { useMicrophone } from './use-microphone.ts';
import { usePlayback } from './use-playback.ts';
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
