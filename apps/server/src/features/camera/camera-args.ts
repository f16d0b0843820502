import type { ExtraAudio, SourceProbe } from '@weir/contract';
import { type Input, relayArgs, silentAudioArgs } from '@weir/process';

interface Camera {
  readonly from: Input;
  readonly to: string;
  readonly audio: SourceProbe['audio'];
  readonly extraAudio: ExtraAudio;
}

/** What outlets carry. Cameras often speak another one, made for telephones. */
const carried = ['aac', 'mp3'];

/** Pictures as they come. Sound as it comes where outlets carry it, else encoded anew; or silence instead of any. */
export function cameraArgs({ from, to, audio, extraAudio }: Camera): string[] {
  const input = from.kind === 'live' ? { ...from, lowDelay: true } : from;
  if (extraAudio === 'silent') return silentAudioArgs({ from: input, to });
  const isCarried = audio === null || carried.includes(audio.codec_name);
  return relayArgs({ from: input, to, ...(!isCarried && { audio: 'aac' }) });
}
