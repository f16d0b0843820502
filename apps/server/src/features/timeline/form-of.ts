import type { StreamMedia } from '@weir/contract';

/** In which form a stream arrives, in texts; undefined until a track is known. */
export function formOf({ video, audio }: StreamMedia): Readonly<Record<string, string>> | undefined {
  if (!video && !audio) return undefined;
  return {
    ...(video && {
      video: [video.codec, video.profile].filter((text) => text !== '').join(' '),
      size: `${video.width}×${video.height}`,
      ...(video.fps !== undefined && video.fps > 0 && { fps: String(Math.round(video.fps * 100) / 100) }),
    }),
    ...(audio && { audio: audio.codec, rate: String(audio.sampleRate), channels: String(audio.channels) }),
  };
}
