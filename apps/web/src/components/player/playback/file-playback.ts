import type { PlayerFailure } from '../session/player-failure.ts';
import { type OpenPlayback, type Playback, type PlaybackRequest, readBufferedSeconds, seekToEdge } from './playback.ts';

/** Native playback: files, and HLS in browsers that support it. */
export const openFile: OpenPlayback = async (request) => filePlayback(request, { isLive: false });

export function filePlayback({ video, url, events }: PlaybackRequest, { isLive }: { isLive: boolean }): Playback {
  const onError = () => events.onFailure(toFailure(video.error));
  video.addEventListener('error', onError);
  video.src = url;
  video.load();
  return {
    measure: () => {
      const ahead = isLive ? readBufferedSeconds(video) : undefined;
      return { delayMs: ahead === undefined ? undefined : ahead * 1000 };
    },
    positionMs: (edgeMs) => {
      const { seekable, currentTime } = video;
      return seekable.length === 0 ? undefined : edgeMs - (seekable.end(seekable.length - 1) - currentTime) * 1000;
    },
    seekToLive: () => {
      if (isLive) seekToEdge(video, 2);
    },
    close: () => {
      video.removeEventListener('error', onError);
      video.removeAttribute('src');
      video.load();
    },
  };
}

function toFailure(error: MediaError | null): PlayerFailure {
  const detail = error?.message || undefined;
  // Browsers report a missing file and an unknown format alike; only the message may tell them apart.
  if (error?.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED) {
    return { kind: /40[34]|410/.test(detail ?? '') ? 'not-found' : 'codec', detail };
  }
  return { kind: error?.code === MediaError.MEDIA_ERR_DECODE ? 'codec' : 'network', detail };
}
