import { messageOf } from '../../../../lib/errors/message-of.ts';
import type { MicrophoneState, MicrophoneView } from '../voice-types.ts';

/** Not another device than the chosen one while that is there; any, when it is not. */
export async function openDevice(deviceId: string): Promise<MediaStream> {
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
  const devices = navigator.mediaDevices;
  if (deviceId === '') return devices.getUserMedia({ audio });
  return devices.getUserMedia({ audio: { ...audio, deviceId: { exact: deviceId } } }).catch((error: unknown) => {
    if (nameOf(error) !== 'OverconstrainedError' && nameOf(error) !== 'NotFoundError') throw error;
    return devices.getUserMedia({ audio });
  });
}

export function stopTracks(media: MediaStream): false {
  for (const track of media.getTracks()) track.stop();
  return false;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** W3C Media Capture and Streams, 10.2: the names under which `getUserMedia` fails. */
const failures: Readonly<Record<string, MicrophoneState>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

export function toMicrophoneFailure(error: unknown): Pick<MicrophoneView, 'state' | 'detail'> {
  const detail = messageOf(error);
  return { state: failures[nameOf(error)] ?? 'failed', detail };
}
