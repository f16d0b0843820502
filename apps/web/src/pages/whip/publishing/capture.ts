import { noDevice, type PublishChoices, parseSize } from './publish-choices.ts';
import { PublishError } from './publish-failure.ts';

/** Browsers expose cameras and microphones to secure pages only. */
export function canCapture(): boolean {
  return typeof navigator.mediaDevices?.getUserMedia === 'function';
}

export async function captureVideo(choices: PublishChoices): Promise<MediaStreamTrack | undefined> {
  if (choices.picture === 'none') return undefined;
  if (!canCapture()) throw new PublishError({ kind: 'insecure' });
  const video = toVideoConstraints(choices);
  const media =
    choices.picture === 'screen'
      ? await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: video.frameRate }, audio: false })
      : await navigator.mediaDevices.getUserMedia({ video: { ...video, deviceId: { ideal: choices.cameraId } } });
  return media.getVideoTracks()[0];
}

export async function captureAudio(choices: PublishChoices): Promise<MediaStreamTrack | undefined> {
  if (choices.microphoneId === noDevice) return undefined;
  if (!canCapture()) throw new PublishError({ kind: 'insecure' });
  const media = await navigator.mediaDevices.getUserMedia({ audio: { deviceId: { ideal: choices.microphoneId } } });
  return media.getAudioTracks()[0];
}

/** One request for both, so that the browser prompts once. */
export async function captureBoth(choices: PublishChoices): Promise<MediaStreamTrack[]> {
  if (choices.picture === 'none' && choices.microphoneId === noDevice) throw new PublishError({ kind: 'no-source' });
  if (choices.picture !== 'camera' || choices.microphoneId === noDevice) {
    const tracks = [await captureVideo(choices), await captureAudio(choices)];
    return tracks.filter((track) => track !== undefined);
  }
  if (!canCapture()) throw new PublishError({ kind: 'insecure' });
  const media = await navigator.mediaDevices.getUserMedia({
    video: { ...toVideoConstraints(choices), deviceId: { ideal: choices.cameraId } },
    audio: { deviceId: { ideal: choices.microphoneId } },
  });
  return media.getTracks();
}

export function toVideoConstraints(choices: PublishChoices) {
  const { width, height } = parseSize(choices.size);
  return { width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: Number(choices.frameRate) } };
}
