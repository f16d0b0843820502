import type { ExtraAudio, SourceProbe } from '@weir/contract';
import { type Input, type Output, relayArgs, silentAudioArgs } from '@weir/process';

interface Camera {
  readonly from: Input;
  readonly to: Output;
  readonly audio: SourceProbe['audio'];
  readonly extraAudio: ExtraAudio;
}

/** Audio codecs that outlets carry. Cameras often use telephone codecs. */
const carried = ['aac', 'mp3'];

/** Copies video. Copies audio where outlets carry its codec, else encodes it; adds silence where there is none. */
export function cameraArgs({ from, to, audio, extraAudio }: Camera): string[] {
  if (extraAudio === 'silent') return silentAudioArgs({ from, to });
  const isCarried = audio === null || carried.includes(audio.codec_name);
  return relayArgs({ from, to, ...(!isCarried && { audio: 'aac' }) });
}
