import type { CaptionEvent, CaptionFeed } from '../captions/cue-feed.ts';
import type { PlayerFailure } from '../session/player-failure.ts';

/** What only the way of playing knows; the rest is read from the video element. */
export interface PlaybackMetrics {
  /** How far the picture is behind the newest one that could be had. */
  readonly delayMs?: number | undefined;
  readonly bitrateKbps?: number | undefined;
  readonly videoCodec?: string | undefined;
  readonly audioCodec?: string | undefined;
  /** WebRTC only, as the next two. */
  readonly roundTripMs?: number | undefined;
  readonly jitterMs?: number | undefined;
  readonly lossPercent?: number | undefined;
  /** The server sends only keyframes: the connection is too slow for the rest. */
  readonly isKeyframesOnly?: boolean | undefined;
  /** Grows while media arrives; the element's own clock when absent. */
  readonly progress?: number | undefined;
}

export interface PlaybackEvents {
  onFailure(failure: PlayerFailure): void;
}

/** One try at playing one address in one video element, from opening to closing. */
export interface Playback {
  measure(): PlaybackMetrics | Promise<PlaybackMetrics>;
  /**
   * Where the picture is on the stream's clock, as well as this way of playing can tell. `edgeMs`: where the newest of the stream is, about.
   * Of no use for what is not live.
   */
  positionMs?(edgeMs: number): number | undefined;
  /** Subtitles that come with the media. Their times are those of `positionMs`. */
  listen?(onEvent: (event: CaptionEvent) => void): CaptionFeed | undefined;
  /** After a pause: live means now, not where it was left. */
  seekToLive(): void;
  close(): void;
}

export interface PlaybackRequest {
  readonly video: HTMLVideoElement;
  readonly url: string;
  readonly events: PlaybackEvents;
  /** Aborted when the viewer has moved on before the playback was there. */
  readonly signal: AbortSignal;
}

export type OpenPlayback = (request: PlaybackRequest) => Promise<Playback>;

/** Thrown while opening, when it is already clear what is wrong. */
export class PlaybackError extends Error {
  readonly failure: PlayerFailure;

  constructor(failure: PlayerFailure) {
    super(failure.detail ?? failure.kind);
    this.failure = failure;
  }
}

/** Seconds of media the element holds beyond the picture it shows. */
export function readBufferedSeconds(video: HTMLVideoElement): number | undefined {
  const { buffered, currentTime } = video;
  return buffered.length === 0 ? undefined : Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}

export function seekToEdge(video: HTMLVideoElement, keepSeconds: number): void {
  const ahead = readBufferedSeconds(video);
  if (ahead !== undefined && ahead > keepSeconds) video.currentTime += ahead - keepSeconds;
}
